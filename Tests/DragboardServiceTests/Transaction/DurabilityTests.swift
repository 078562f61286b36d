import DBus
import DragboardInterface
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Durability of acknowledged edits")
struct DurabilityTests {
  /// The number of times that the daemon is killed; `DRAGBOARD_TEST_KILLS=200` is the long form.
  private static let kills =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_KILLS"].flatMap { Int($0) } ?? 25

  @Test("After a kill, every acknowledged edit is present, and no other edit is incomplete")
  func killed() throws {
    let daemon = try Daemon()
    var numbers = SplitMix64(seed: 2)
    var beyond = 0
    for round in 0..<Self.kills {
      let observer = try daemon.client()
      var history = History(try observer.state())
      let settings = try Settings(daemon, round)
      let editors = try (0..<3).map { client in
        EditingClient(
          try daemon.client(),
          RandomEdits(seed: numbers.next(), prefix: "round \(round) client \(client)"),
          items: history.state.sections.flatMap(\.rows).map(\.id))
      }
      Self.kill(daemon, after: Int.random(in: 1...60, using: &numbers), of: editors, settings)
      try history.replay(editors.map(\.attempts), telling: observer.takeTold())

      try daemon.start()
      let end = try daemon.client().state()
      let explanation: Comment =
        "round \(round): of \(history.state) \(editors.map { $0.attempts.suffix(4) }) made \(end)"
      let isExplained = history.leads(to: end, by: editors.map(\.attempts))
      #expect(isExplained, explanation)
      let isSet = settings.allow(end)
      #expect(isSet, explanation)
      beyond += end.revision > history.state.revision ? 1 : 0
      try Self.thinOut(end, daemon)
    }
    print("\(Self.kills) kills, \(beyond) of them with edits beyond those acknowledged")
  }

  /// Starts the clients, and kills the daemon after a number of answers.
  private static func kill(
    _ daemon: Daemon, after count: Int, of editors: [EditingClient], _ settings: Settings
  ) {
    let answers = Atomic(0)
    let process = Killing(daemon)
    for editor in editors {
      editor.onAnswer = { _ in
        if answers.add(1, ordering: .relaxed).newValue == count { process.kill() }
      }
    }
    settings.start()
    for editor in editors { editor.start(.max) }
    for editor in editors { editor.wait() }
    settings.wait()
    daemon.kill()
  }

  /// Deletes rows, so that the board stays small.
  private static func thinOut(_ state: BoardState, _ daemon: Daemon) throws {
    let client = try daemon.client()
    for row in state.sections.flatMap(\.rows) {
      if !row.isEditable { _ = try client.call(BoardInterface.setEditable, row.id, true) }
      if !row.isMovable { _ = try client.call(BoardInterface.setMovable, row.id, true) }
    }
    let rows = state.sections.flatMap(\.rows).map(\.id)
    _ = try client.call(BoardInterface.deleteItems, Array(rows.dropFirst(25)))
    for section in (4..<max(4, state.sections.count)).reversed() {
      _ = try client.call(BoardInterface.deleteSection, UInt32(section))
    }
  }

  @Test("A daemon that is killed at its first start starts again")
  func killedAtOnce() throws {
    for _ in 0..<5 {
      let daemon = try Daemon()
      daemon.kill()
      try daemon.start()
      let state = try daemon.client().state()
      #expect(state.sections == [BoardState.Section(name: "main", rows: [])])
      #expect(state.revision == 1)
    }
  }

  @Test("Created, renamed and deleted boards survive a crash")
  func boards() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let root = Dragboard.root
    let kept = try client.call(ManagerInterface.createBoard, at: root, "kept")
    _ = try client.call(ManagerInterface.createBoard, at: root, "gone")
    _ = try client.call(BoardInterface.insertText, at: kept, 0, 0, "a")
    _ = try client.call(ManagerInterface.renameBoard, at: root, "kept", "renamed")
    _ = try client.call(ManagerInterface.deleteBoard, at: root, "gone")
    daemon.kill()
    try daemon.start()
    let again = try daemon.client()
    #expect(try again.get(ManagerInterface.boards, at: root) == [BusClient.board, kept])
    #expect(try again.call(ManagerInterface.getBoard, at: root, "renamed") == kept)
    #expect(try again.call(BoardInterface.getTexts, at: kept, 0, 0, 9) == ["a"])
  }

  @Test("Numbers of sessions and ids of rows are not used again after a crash")
  func numbers() throws {
    let daemon = try Daemon()
    var sessions: [ObjectPath] = []
    var items: [String] = []
    for _ in 0..<3 {
      let client = try daemon.client()
      sessions.append(try client.call(ManagerInterface.beginDrag, at: Dragboard.root, "org.x"))
      items.append(try client.call(BoardInterface.insertText, 0, 0, "x"))
      _ = try client.call(BoardInterface.clear)
      daemon.kill()
      try daemon.start()
    }
    #expect(Set(sessions).count == 3)
    #expect(Set(items).count == 3)
  }
}

/// A way for any thread to kill the daemon.
private final class Killing: Sendable {
  private let id: pid_t
  init(_ daemon: Daemon) { id = daemon.id }

  /// The process has not been reaped yet, so no other process has its id.
  func kill() { Foundation.kill(id, SIGKILL) }
}

/// A client that sets the board's properties, one call after the other, until the daemon has
/// exited.
///
/// `@unchecked` is safe, because the test uses it only after its thread has ended.
private final class Settings: @unchecked Sendable {
  private let client: BusClient
  private let before: BoardState
  private let round: Int
  /// The numbers of acknowledged and of sent values.
  private var acknowledged = 0
  private var sent = 0
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ daemon: Daemon, _ round: Int) throws {
    client = try daemon.client()
    before = try client.state()
    self.round = round
  }

  func start() {
    let thread = Thread { [self] in
      while true {
        sent += 1
        guard (try? client.wait(for: setting(sent))) != nil else { break }
        acknowledged = sent
      }
      hasEnded.signal()
    }
    thread.start()
  }

  func wait() { hasEnded.wait() }

  private func setting(_ number: Int) -> OutgoingMessage {
    number % 2 == 0
      ? call(BoardInterface.setAcceptedTypes, types(number))
      : DragboardServiceTests.setting(
        BoardInterface.maxRows, to: Variant(.uint32(maxRows(number))))
  }

  private func types(_ number: Int) -> [String] {
    ["text/plain;charset=utf-8", "application/x-\(round)-\(number)"]
  }

  private func maxRows(_ number: Int) -> UInt32 { UInt32(100_000 + round * 1_000 + number) }

  /// Returns whether the properties have the values that were acknowledged, or requested last.
  func allow(_ state: BoardState) -> Bool {
    (acknowledged...sent).contains { last in
      let (odd, even) = (last - (last + 1) % 2, last - last % 2)
      return state.maxRows == (odd < 1 ? before.maxRows : maxRows(odd))
        && state.acceptedTypes == (even < 1 ? before.acceptedTypes : types(even))
    }
  }
}

extension BusClient {
  /// Takes every signal that arrived from a daemon that has exited.
  fileprivate func takeTold() -> [ReceivedSignal] {
    waitForBus()
    return takeSignals()
  }
}
