import DBus
import DragboardInterface
import Files

/// A connection to the message bus, and the entry point of the library.
///
/// The connection is an actor that runs on an event loop; any task can call it. Calls reach the
/// daemon in order. If the daemon is installed, the first call starts it. The connection survives a
/// restart of the daemon. After the bus is lost, every call fails with `disconnected`; create a new
/// connection.
///
/// ```swift
/// let dragboard = try await DragboardConnection.connect()
/// let board = try await dragboard.board(named: "default")
/// let ids = try await board.insert(["Buy stamps"])
/// ```
public actor DragboardConnection {
  let bus: Connection
  let disconnection = Disconnection()
  let promises: PromiseServer
  let loop: EventLoop
  /// Whether the loop has its own thread, which ends with the connection.
  private let hasOwnThread: Bool

  /// The event loop, on whose thread everything isolated to the connection runs.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// The name that the bus gave this connection: `:1.42`.
  public nonisolated let uniqueName: String

  private init(_ bus: Connection, hasOwnThread: Bool) {
    self.bus = bus
    self.hasOwnThread = hasOwnThread
    promises = PromiseServer(bus)
    loop = bus.loop
    uniqueName = bus.uniqueName
    bus.onDisconnect = { [disconnection] in disconnection.happen() }
  }

  deinit {
    guard hasOwnThread else { return }
    let (bus, promises) = (bus, promises)
    // These objects are confined to the loop's thread, so they are released on it.
    loop.perform { withExtendedLifetime(promises) { bus.close() } }
    loop.stop()
  }

  /// Connects to the bus, and serves the connection on a new thread.
  ///
  /// - Parameter address: the address of the bus (`unix:path=…`); nil for the session bus.
  /// - Returns: the connection. It leaves the bus when its last reference is released.
  /// - Throws: `noBus`; `inputOutput` if the system has no thread or descriptor left.
  public static func connect(
    to address: String? = nil
  ) async throws(DragboardError) -> DragboardConnection {
    let result: Result<DragboardConnection, DragboardError> = await withCheckedContinuation {
      continuation in
      do throws(SystemError) {
        let loop = try EventLoop()
        loop.perform {
          continuation.resume(
            returning: Result { () throws(DragboardError) in
              try opened(address, on: loop, hasOwnThread: true)
            })
        }
        try DetachedThread.start { loop.run() }
      } catch {
        continuation.resume(returning: .failure(DragboardError(error)))
      }
    }
    return try result.get()
  }

  static func opened(
    _ address: String?, on loop: EventLoop, hasOwnThread: Bool
  ) throws(DragboardError) -> DragboardConnection {
    do throws(DBusError) {
      return DragboardConnection(try Connection(to: address, on: loop), hasOwnThread: hasOwnThread)
    } catch {
      loop.stop()
      throw DragboardError(error, at: BusInterface.path)
    }
  }

  /// Leaves the bus.
  ///
  /// All events and later calls then fail with `disconnected`.
  public func close() {
    bus.close()
    disconnection.happen()
  }
}

extension DragboardError {
  init(_ error: SystemError) { self.init(.inputOutput, error.description) }
}
