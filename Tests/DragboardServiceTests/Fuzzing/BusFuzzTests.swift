import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Random calls, from clients that disconnect")
struct BusFuzzTests {
  /// The number of calls; `DRAGBOARD_TEST_CALLS=1000000` selects the long form.
  private static let calls =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_CALLS"].flatMap { Int($0) } ?? 20_000
  private static let seed =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_SEED"].flatMap { UInt64($0) } ?? 1

  @Test("The daemon survives any calls, and every drag that began ends once")
  func fuzz() throws {
    let daemon = try Daemon(
      "--max-rows", "500", "--max-boards", "12", "--max-views", "40", "--max-sessions", "200",
      "--max-bytes", "20000000", "--undo-bytes", "2000000", "--undo-steps", "20",
      "--load-timeout", "0.5", "--session-timeout", "3")
    let observer = try daemon.client()
    let members = try FuzzMember.all()
    let loop = observer.connection.loop
    var drags = DragCount()
    let clients = try (0..<8).map { number in
      try FuzzClient(
        to: daemon.bus.address, on: loop, members, seed: Self.seed * 100 + UInt64(number))
    }
    let pulse = Pulse(observer.connection)
    for client in clients { client.start() }
    pulse.start()
    var memory: [Int] = []
    for part in 1...10 {
      loop.run {
        drags.note(observer)
        return clients.reduce(0) { $0 + $1.answers } >= Self.calls * part / 10 || pulse.hasStopped
      }
      let answers = clients.reduce(0) { $0 + $1.answers }
      try #require(pulse.failure == nil, "after \(answers) calls; \(daemon.state)")
      memory.append(daemon.kibibytes("VmRSS"))
    }
    for client in clients { client.stop() }
    loop.run {
      drags.note(observer)
      return drags.active.isEmpty || pulse.hasStopped
    }
    #expect(drags.faults == [])
    let successes = clients.reduce(0) { $0 + $1.successes }
    #expect(successes > Self.calls / 20)
    let before = try observer.replica()
    daemon.kill()
    try daemon.start()
    #expect(try daemon.client().replica() == before)
    print(
      """
      \(Self.calls) calls, \(successes) done; longest pulse \(pulse.longest); resident, by tenths, \
      in KiB: \(memory)
      """)
  }
}

/// The drags that have begun and have not ended.
private struct DragCount {
  private(set) var active: Set<String> = []
  private(set) var faults: [String] = []

  /// Takes the observer's signals.
  mutating func note(_ observer: BusClient) {
    for signal in observer.takeReceived() where signal.interface == ManagerInterface.name.text {
      guard let session = try? signal.message.firstPath else { continue }
      switch signal.member {
      case "DragBegan" where !active.insert(session).inserted:
        faults.append("\(session) began twice")
      case "DragEnded" where active.remove(session) == nil: faults.append("\(session) ended twice")
      default: break
      }
    }
  }
}

/// A client that repeats a small call, to measure how long the daemon lets a client wait.
private final class Pulse: @unchecked Sendable {
  // `@unchecked` is safe, because only the loop's thread uses it.
  private let connection: Connection
  private(set) var longest = Duration.zero
  /// The reason why a call was not answered.
  private(set) var failure: DBusError?
  var hasStopped: Bool { failure != nil }

  init(_ connection: Connection) { self.connection = connection }

  func start() {
    let begin = ContinuousClock.now
    let call = OutgoingMessage.call(
      "Ping", of: PeerInterface.name, at: Dragboard.root, to: Dragboard.busName)
    connection.send(call, timeout: .seconds(30)) { [self] result in
      longest = max(longest, .now - begin)
      if case .failure(let error) = result { return failure = error }
      connection.loop.schedule(after: .milliseconds(5)) { [self] in start() }
    }
  }
}

extension Message {
  /// The first argument, which is an object path.
  fileprivate var firstPath: String {
    get throws(DBusError) {
      member == ManagerInterface.dragEnded.description.name.text
        ? try arguments(as: ObjectPath.self, String.self, String.self).0.text
        : try arguments(as: ObjectPath.self, String.self).0.text
    }
  }
}
