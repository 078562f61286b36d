import DBus
import DragboardInterface
import Files

/// A connection to the message bus, and the entry point of the library.
///
/// It is an actor on its own event loop, and can be called from any task; calls reach the daemon in
/// order. The first call starts an installed daemon. The connection survives a restart of the
/// daemon. When the bus is lost, every call fails with `disconnected`, and a new connection is
/// needed.
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
  /// Whether a thread was made for the loop, which is to end with the connection.
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
    // Objects that are confined to the loop are released there.
    loop.perform { withExtendedLifetime(promises) { bus.close() } }
    loop.stop()
  }

  /// Connects to the bus, on a thread of its own.
  ///
  /// - Parameter address: address of the bus (`unix:path=…`); nil is the session bus.
  /// - Returns: the connection, which leaves the bus with its last reference.
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

  /// Leaves the bus: later calls fail with `disconnected`, and all events end with it.
  public func close() {
    bus.close()
    disconnection.happen()
  }
}

extension DragboardError {
  init(_ error: SystemError) { self.init(.inputOutput, error.description) }
}
