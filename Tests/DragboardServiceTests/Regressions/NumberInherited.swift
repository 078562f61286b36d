import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// On a bus without `ProcessFD`, a process could leave its connection to a child and exit.
///
/// When another process got its id, the connection got the identity of that process.
@Suite("Regression: a reused process number gave another process's identity")
struct NumberInherited {
  @Test(
    "A connection whose process id was reused is unidentified",
    .enabled(
      if: access("/proc/sys/kernel/ns_last_pid", W_OK) == 0,
      "needs the right to choose the number of the next process: root"))
  func inherited() throws {
    let daemon = try Daemon()
    let relay = try Relay(on: daemon.bus, behavior: .heir)
    let client = try relay.client()
    // When the daemon answers a later call, it has noticed the connection.
    _ = try daemon.client().get(BoardInterface.count)
    try relay.passNumberOn()
    expect(.accessDenied, naming: "application") { _ = try client.beginDrag(as: "org.any.App") }
    expect(.accessDenied) { _ = try client.call(BoardInterface.clear) }
    withExtendedLifetime(relay) {}
  }

  @Test("A connection with a running process is identified, even if it calls late")
  func late() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    for _ in 0..<20 { _ = try daemon.client().get(BoardInterface.count) }
    let session = try client.beginDrag(as: "org.any.App")
    #expect(try client.get(DragSessionInterface.application, at: session) == "org.any.App")
  }

  @Test("A connection that is older than the daemon is identified if its process is older, too")
  func older() throws {
    let bus = try PrivateBus()
    let client = try BusClient(to: bus.address)
    let daemon = try Daemon([], on: bus)
    let session = try client.beginDrag(as: "org.any.App")
    #expect(try client.get(DragSessionInterface.application, at: session) == "org.any.App")
    withExtendedLifetime(daemon) {}
  }
}
