import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// A test that plays random batches of calls on a service whose disk fails, and on a twin.
///
/// The writes and commits of the first service fail at random. The calls that it did not refuse
/// with IOError go to the twin. Replies, signals and state of both must be the same.
///
/// `DIFFERENTIAL_SEEDS` sets the number of seeds (4), `DIFFERENTIAL_SEED` the first seed (1). A
/// seed takes about a second. It must take less than a minute: an ended session is forgotten after
/// a minute, which must not happen between the reads of the two services.
@Suite("Failed transactions leave no trace")
struct DifferentialTests {
  private static func setting(_ name: String, _ standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
  }
  private static let seeds: Range<Int> = {
    let first = setting("DIFFERENTIAL_SEED", 1)
    return first..<first + max(1, setting("DIFFERENTIAL_SEEDS", 4))
  }()

  @Test(
    "A service whose commits fail behaves like a twin that never got the failed calls",
    arguments: seeds)
  func twin(seed: Int) throws {
    let pair = try ServicePair(seed: UInt64(seed))
    defer { pair.stop() }
    for _ in 0..<100 { try pair.playRound() }
    #expect(pair.refused > 0 && pair.answered > pair.refused)
  }
}

/// A service whose disk fails, and its twin.
private final class ServicePair {
  private let services: [ServiceThread]
  private let clients: [BusClient]
  private let seed: UInt64
  private var calls: RandomCalls
  private var pairing = Pairing()
  private var round = 0
  /// The number of calls that both services answered.
  private(set) var answered = 0
  /// The number of calls that got IOError.
  private(set) var refused = 0

  init(seed: UInt64) throws {
    self.seed = seed
    services = [try ServiceThread(), try ServiceThread()]
    clients = try services.map { try $0.client() }
    calls = RandomCalls(seed: seed)
  }

  func stop() { for service in services { service.stop() } }

  func playRound() throws {
    round += 1
    let batch = (0..<calls.number(1...8)).map { _ in calls.next(pairing) }
    let step = nextFailure()
    let outstanding = services[0].whilePaused {
      if let step { services[0].orders.fail(step.0, after: step.1) }
      return clients[0].send(batch.map { $0.message(0) })
    }
    let answers = outstanding.all()
    let kept = answers.indices.filter { !Self.isIOError(answers[$0]) }
    refused += answers.count - kept.count
    answered += kept.count
    let (names, errors) = (batch.map(\.name), outstanding.errors())
    let context =
      "seed \(seed), round \(round), \(step.map { "\($0)" } ?? ""): \(zip(names, errors).map { "\($0) \($1)" })"
    let twin = clients[1].answers(to: kept.map { batch[$0].message(1) })
    for (index, answer) in zip(kept, twin) {
      try require(answers[index], answer, "\(names[index]) in \(context)")
    }
    try compareSignals(context)
    try compareState(context)
  }

  private func nextFailure() -> (FaultyStore.Step, Int)? {
    switch calls.number(0...11) {
    case 0...2: (.commit, 0)
    case 3: (.put, calls.number(0...2))
    case 4: (.save, calls.number(0...1))
    case 5: (.saveStep, 0)
    case 6: (.log, 0)
    case 7: ([.update, .createBoard, .deleteBoard, .moveItem][calls.number(0...3)], 0)
    default: nil
    }
  }

  private static func isIOError(_ answer: Result<Message, DBusError>) -> Bool {
    if case .failure(let error) = answer { error.name == .ioError } else { false }
  }

  private func require(
    _ left: Result<Message, DBusError>, _ right: Result<Message, DBusError>, _ context: String
  ) throws {
    switch (left, right) {
    case (.success(let left), .success(let right)):
      let (left, right) = (left.values, right.values)
      let isSame = pairing.match(left, right)
      try #require(isSame, "\(left) is not \(right): \(context)")
    case (.failure(let left), .failure(let right)):
      try #require(left.name == right.name, "\(left) is not \(right): \(context)")
    default: try #require(Bool(false), "\(left) is not \(right): \(context)")
    }
  }

  private func compareSignals(_ context: String) throws {
    let signals = clients.map { $0.takeSignals() }
    for (left, right) in zip(signals[0], signals[1]) {
      let isSame =
        left.member == right.member && left.interface == right.interface
        && pairing.match(left.path, right.path)
        && pairing.match(left.message.values, right.message.values)
      try #require(
        isSame,
        "\(left.member) \(left.message.values) of \(left.path) is not \(right.member) \(right.message.values): \(context)"
      )
    }
    try #require(
      signals[0].map(\.member) == signals[1].map(\.member), "signals after \(context)")
  }

  /// Compares everything that clients can read.
  private func compareState(_ context: String) throws {
    let reads = Self.reads(pairing.sessions.suffix(4))
    let answers = clients.indices.map { side in
      clients[side].answers(to: reads.map { $0.message(side) })
    }
    for (index, read) in reads.enumerated() {
      try require(answers[0][index], answers[1][index], "\(read.name) after \(context)")
    }
  }

  private static func reads(_ sessions: ArraySlice<Pairing.Pair>) -> [RandomCall] {
    var reads: [RandomCall] = []
    for board in RandomCalls.boards {
      reads += [
        RandomCall("GetSnapshot") { _ in call(BoardInterface.getSnapshot, at: board) },
        RandomCall("GetRows") { _ in call(BoardInterface.getRows, at: board, 0, 0, 1_000) },
        RandomCall("GetTexts") { _ in call(BoardInterface.getTexts, at: board, 0, 0, 1_000) },
        RandomCall("GetChanges") { _ in call(BoardInterface.getChanges, at: board, 0) },
        RandomCall("Search") { _ in call(BoardInterface.search, at: board, "alpha", 1_000) },
        RandomCall("FindRows") { _ in call(BoardInterface.findRows, at: board, "lph", 0, 0) },
      ]
    }
    for session in sessions {
      reads.append(
        RandomCall("GetAll of a session") { side in
          let path = ObjectPath(unchecked: session[side])
          let call = OutgoingMessage.call(
            "GetAll", of: PropertiesInterface.name, at: path, to: Dragboard.busName)
          call.append(DragSessionInterface.name.text)
          return call
        })
    }
    reads.append(
      RandomCall("Sessions") { _ in getting(ManagerInterface.sessions, at: Dragboard.root) })
    reads.append(
      RandomCall("GetManagedObjects") { _ in
        call(ObjectManagerInterface.getManagedObjects, at: Dragboard.root)
      })
    return reads
  }
}
