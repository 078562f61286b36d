import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// The kernel refuses descriptors (ETOOMANYREFS) if a user has more of them in flight than the
/// sender may have open.
@Suite("Descriptors that the kernel refuses")
struct RefusedDescriptorTests {
  private static let maxFiles = 100
  /// A client may have many small files, and each reply puts one descriptor in flight.
  private static let callsPerClient = 60

  /// Starts a daemon with a low limit of descriptors, and without the capability to exceed the
  /// limit in flight.
  private func startDaemon() throws -> Daemon {
    let capabilities = ["setpriv", "--bounding-set", "-sys_resource,-sys_admin"]
    return try Daemon(
      [],
      by: ["prlimit", "--nofile=\(Self.maxFiles):\(Self.maxFiles)"]
        + (getuid() == 0 ? capabilities : []))
  }

  @Test("A refused descriptor loses only its own message")
  func onlyItsOwn() throws {
    let daemon = try startDaemon()
    let clients = try (0..<3).map { _ in try daemon.client() }
    let row = try clients[0].insert(["text"])[0]
    for client in clients { _ = try client.texts() }
    daemon.signal(SIGSTOP)
    var answers = [[Int]](repeating: [], count: clients.count)
    var lastCounts: [UInt32?] = clients.map { _ in nil }
    for (index, client) in clients.enumerated() {
      for number in 0..<Self.callsPerClient {
        client.connection.send(call(BoardInterface.getFile, row, "*/*"), timeout: nil) { result in
          if case .success = result { answers[index].append(number) }
        }
      }
      client.connection.send(getting(BoardInterface.count), timeout: nil) { result in
        lastCounts[index] = try? result.get().content(as: UInt32.self)
      }
      client.waitForBus()
    }
    daemon.bus.signal(SIGSTOP)
    daemon.signal(SIGCONT)
    // The daemon answers while the bus reads nothing: the descriptors stay in flight.
    try waitUntilIdle(daemon)
    daemon.bus.signal(SIGCONT)
    for (index, client) in clients.enumerated() { client.run { lastCounts[index] != nil } }
    #expect(lastCounts == clients.map { _ in 1 })
    let count = answers.reduce(0) { $0 + $1.count }
    #expect(count > 0)
    #expect(count < clients.count * Self.callsPerClient, "the kernel has refused no descriptor")
    for numbers in answers { #expect(numbers == numbers.sorted()) }
    let file = try clients[0].call(BoardInterface.getFile, row, "*/*")
    #expect(TestFile.rest(of: file) == Array("text".utf8))
    #expect(daemon.state == "it runs")
  }

  /// Waits until the daemon sleeps in its event loop, having handled its calls.
  private func waitUntilIdle(_ daemon: Daemon) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    var (latest, quiet) = (-1, 0)
    while quiet < 20 {
      try #require(ContinuousClock.now < deadline, "the daemon is not idle")
      usleep(10_000)
      let time = try processorTime(of: daemon)
      quiet = time == latest ? quiet + 1 : 0
      latest = time
    }
  }

  /// Returns the processor time of the daemon, in ticks.
  private func processorTime(of daemon: Daemon) throws -> Int {
    let stat = try String(contentsOfFile: "/proc/\(daemon.id)/stat", encoding: .utf8)
    let fields = stat.split(separator: " ")
    return try #require(Int(fields[13])) + #require(Int(fields[14]))
  }
}
