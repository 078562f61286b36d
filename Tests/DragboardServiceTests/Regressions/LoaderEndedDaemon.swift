import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Regression: a promise at a path that begins like the reserved path ended the daemon")
struct LoaderEndedDaemon {
  @Test("The invalid loader is refused, and the daemon continues")
  func refused() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
    expect(.invalidArgs) {
      _ = try client.call(
        DragSessionInterface.registerPromise, at: session, 0, "text/plain", "all",
        "/org/freedesktop/DBus/Local2")
    }
    #expect(try client.get(ManagerInterface.dragging, at: Dragboard.root))
  }
}
