import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("A soak: dozens of clients use boards while daemons are killed and buses end")
struct SoakTests {
  /// The duration in minutes; `DRAGBOARD_TEST_SOAK_MINUTES=60` is the long form, and the default is
  /// three short rounds.
  private static let minutes =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_SOAK_MINUTES"].flatMap { Double($0) }

  @Test("Every drag ends once, every copy equals the board, and nothing is lost or left behind")
  func soak() throws {
    let soak = try Soak(clients: 36)
    guard let minutes = Self.minutes else {
      for round in 0..<3 { try soak.round(acts: 6, round) }
      return try soak.finish()
    }
    let end = ContinuousClock.now + .seconds(minutes * 60)
    var round = 0
    while ContinuousClock.now < end {
      try soak.round(acts: 60, round)
      round += 1
    }
    try soak.finish()
  }
}

/// A bus, a daemon, its clients, and the connections that watch them.
private final class Soak {
  private let data: URL
  private var bus: PrivateBus
  private var daemon: Daemon
  private var observer: BusClient
  private let loop: EventLoop
  private var clients: [SoakClient]
  private var watches: [SoakWatch] = []
  /// The figures of the running daemon, at its first quiet point and at the latest one.
  private var figures: (first: SoakFigures, last: SoakFigures)?
  private var growth = 0
  private var counts = (rounds: 0, kills: 0, buses: 0, drags: 0)
  private var report = ContinuousClock.now

  private static let options = [
    "--session-timeout", "1", "--load-timeout", "1", "--max-rows", "300", "--undo-steps", "20",
  ]

  init(clients count: Int) throws {
    // A promise may be written to a daemon that has exited.
    signal(SIGPIPE, SIG_IGN)
    data = FileManager.default.temporaryDirectory.appending(path: "soak-\(UUID().uuidString)")
    bus = try PrivateBus()
    daemon = try Daemon(Self.options + ["--data", data.path], on: bus)
    observer = try daemon.client()
    loop = try EventLoop()
    clients = []
    for number in 0..<count {
      clients.append(try SoakClient(to: bus.address, on: loop, number: number))
    }
    try watch()
  }

  deinit {
    for client in clients { client.leave() }
    for watch in watches { watch.leave() }
    daemon.kill()
    bus.stop()
    try? FileManager.default.removeItem(at: data)
  }

  private func watch() throws {
    watches = try (0..<3).map { _ in try SoakWatch(to: bus.address, on: loop) }
    try begin()
  }

  /// Initializes the copies with the current board.
  private func begin() throws {
    try settle()
    let board = try observer.replica()
    for watch in watches { watch.begin(board) }
    figures = nil
  }

  /// Waits until every watch has received all earlier signals, whether it has applied them or not.
  private func settle() throws {
    var missing = watches.count
    for watch in watches { watch.check { _ in missing -= 1 } }
    loop.wait { missing == 0 }
  }

  /// Lets all clients act, and compares the state when all calls have ended.
  ///
  /// Sometimes it kills the daemon before that, or ends the bus.
  func round(acts: Int, _ number: Int) throws {
    for client in clients { client.start(acts) }
    if number % 20 == 1 { try killInTheMiddle() }
    loop.wait { clients.allSatisfy(\.isIdle) && watches.allSatisfy(\.active.isEmpty) }
    try check()
    counts.rounds += 1
    if number % 60 == 2 { try changeBus() }
    if ContinuousClock.now - report > .seconds(60) { tell() }
  }

  private func killInTheMiddle() throws {
    let doneBefore = clients.reduce(0) { $0 + $1.total }
    loop.wait { clients.reduce(0) { $0 + $1.total } > doneBefore + 100 }
    let told = try observer.replica().revision
    for watch in watches { watch.pause() }
    daemon.kill()
    try daemon.start()
    #expect(try observer.replica().revision >= told, "something that was read is gone")
    loop.wait { clients.allSatisfy(\.isIdle) }
    try waitForSessions()
    try begin()
    counts.kills += 1
  }

  private func waitForSessions() throws {
    while try !observer.get(ManagerInterface.sessions, at: Dragboard.root).isEmpty {
      _ = observer.next(ManagerInterface.dragEnded.description.name)
    }
  }

  private func changeBus() throws {
    let before = try observer.replica()
    counts.drags += watches[0].ended
    for watch in watches { watch.leave() }
    bus.stop()
    #expect(daemon.waitForExit() == .exited(0))
    bus = try PrivateBus()
    daemon = try Daemon(Self.options + ["--data", data.path], on: bus)
    observer = try daemon.client()
    for client in clients { try client.move(to: bus.address) }
    #expect(try observer.replica() == before)
    try watch()
    counts.buses += 1
  }

  private func check() throws {
    var answers: [Bool] = []
    for watch in watches { watch.check { answers.append($0) } }
    loop.wait { answers.count == watches.count }
    #expect(!answers.contains(false), "a copy is not the board")
    #expect(watches.flatMap(\.faults) == [])
    _ = observer.takeSignals()
    let now = try SoakFigures(daemon, observer)
    #expect(now.sessions == 0)
    let first = figures?.first ?? now
    figures = (first, now)
    growth = max(growth, now.ownKibibytes - first.ownKibibytes)
    // A descriptor for each content that a thread is writing or reading; at a quiet point there
    // should be none.
    #expect(now.descriptors <= first.descriptors + 2, "\(first), then \(now)")
    #expect(now.matchRules <= first.matchRules, "\(first), then \(now)")
  }

  /// Deletes all rows, removes the history, and checks the remaining files.
  func finish() throws {
    tell()
    #expect(growth < 16 << 10, "the growth in KiB in one life of a daemon")
    try observer.empty()
    let contents = data.appending(path: "contents").path
    let deadline = ContinuousClock.now + .seconds(60)
    while try !FileManager.default.contentsOfDirectory(atPath: contents).isEmpty {
      try #require(ContinuousClock.now < deadline, "files of contents are left")
      _ = try observer.get(ManagerInterface.dragging, at: Dragboard.root)
    }
    let board = try observer.replica()
    #expect(daemon.terminate() == .exited(0))
    try daemon.start()
    #expect(try observer.replica() == board)
  }

  private func tell() {
    report = .now
    var done: [String: Int] = [:]
    for client in clients { done.merge(client.done) { $0 + $1 } }
    let words = done.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    print(
      """
      soak: \(counts.rounds) rounds, \(counts.kills) kills, \(counts.buses) other buses, \
      \(counts.drags + watches[0].ended) drags ended; \(figures.map { "\($0.first), now \($0.last)" } ?? "") \
      (at most \(growth) KiB more in a life); \(words.joined(separator: ", "))
      """)
    fflush(nil)
  }
}

extension BusClient {
  /// Deletes all rows, then makes enough edits that no undo can restore them.
  fileprivate func empty() throws {
    for row in try replica().rows { _ = try call(BoardInterface.setEditable, row, true) }
    _ = try call(BoardInterface.clear)
    let item = try call(BoardInterface.insertText, 0, 0, "last")
    for number in 0..<25 { _ = try call(BoardInterface.setText, item, "last \(number)") }
  }
}

extension SoakClient {
  /// The number of successful calls.
  fileprivate var total: Int { done.values.reduce(0, +) }
}
