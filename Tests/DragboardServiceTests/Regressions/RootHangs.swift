import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// The daemon searched for `/.flatpak-info` on every file system.
///
/// A file system that hung took a thread of the daemon; 32 of them prevented the identification of
/// new clients.
@Suite("Regression: the daemon waited for the file system of a client")
struct RootHangs {
  private static var isPossible: Bool {
    geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0 && Relay.Wall.mountNamespace.isPossible
  }

  @Test(
    "A client with a file system that hangs is unidentified at once",
    .enabled(if: isPossible, "needs root and FUSE"))
  func hung() throws {
    let daemon = try Daemon()
    let relay = try Relay(on: daemon.bus, behind: .mountNamespace, behavior: .hung)
    let client = try relay.client()
    // The daemon waits ten seconds for an inspection.
    let time = ContinuousClock().measure {
      expect(.accessDenied, naming: "application") { _ = try client.beginDrag(as: "org.any.App") }
    }
    #expect(time < .seconds(9))
    withExtendedLifetime(relay) {}
  }
}
