import DBus
import DragboardInterface
import TestSupport

/// A daemon, a source of promises, a client that drops or accepts the drop, and an observer.
final class PromiseFixture {
  let daemon: Daemon
  let source: PromisingClient
  let dropper: BusClient
  let client: BusClient
  /// Other sources, which live as long as the fixture.
  var others: [PromisingClient] = []

  init(_ options: String...) throws {
    daemon = try Daemon(options)
    source = try PromisingClient(on: daemon.bus)
    dropper = try daemon.client()
    client = try daemon.client()
  }

  /// The loads of the source.
  var log: LoadLog { source.log }

  /// Accepts the drop.
  func accept(_ session: ObjectPath, as application: String = "org.target") throws {
    _ = try dropper.call(DragSessionInterface.accept, at: session, application, "copy")
  }

  /// Loads an item's first representation as the destination.
  func load(_ session: ObjectPath, _ item: UInt32 = 0, _ type: String = "*/*") throws -> [UInt8] {
    try dropper.call(DragSessionInterface.loadData, at: session, item, type)
  }
}

/// Returns `count` bytes of a recognizable pattern, which repeats after `period`.
func pattern(_ count: Int, every period: Int = 251) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
    for index in 0..<count { buffer[index] = UInt8(truncatingIfNeeded: index % period) }
    initialized = count
  }
}
