import DBus
import DragboardInterface

/// The daemon's process.
///
/// Only ``version()`` and ``limits()`` start the daemon. The other methods call the bus.
public struct DragboardDaemon: Sendable {
  let connection: DragboardConnection

  /// The version of the daemon.
  ///
  /// - Throws: `noDaemon`.
  public func version() async throws(DragboardError) -> String {
    try await connection.get(ManagerInterface.version, at: Dragboard.root)
  }

  /// Returns the limits of the daemon.
  ///
  /// They are all nil if its version does not report them.
  ///
  /// - Throws: `noDaemon`.
  public func limits() async throws(DragboardError) -> DaemonLimits {
    do throws(DragboardError) {
      return DaemonLimits(
        byName: try await connection.get(ManagerInterface.limits, at: Dragboard.root))
    } catch {
      guard error.reason == .unsupported else { throw error }
      return DaemonLimits(byName: [:])
    }
  }

  /// Whether the daemon is on the bus.
  public func isRunning() async throws(DragboardError) -> Bool {
    try await askBus(BusInterface.nameHasOwner, Dragboard.busName.text)
  }

  /// Whether the bus can start the daemon, because an activation file is installed.
  public func isActivatable() async throws(DragboardError) -> Bool {
    try await askBus(BusMethods.listActivatableNames).contains(Dragboard.busName.text)
  }

  /// The process id of the running daemon.
  ///
  /// - Throws: `noDaemon`.
  public func processID() async throws(DragboardError) -> Int32 {
    Int32(clamping: try await askBus(BusMethods.processID, Dragboard.busName.text))
  }

  private func askBus<each I: BusValue, each O: BusValue>(
    _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    _ arguments: repeat each I
  ) async throws(DragboardError) -> (repeat each O) {
    try await connection.reply(
      to: method, at: BusInterface.path, of: .bus, repeat each arguments
    ).values
  }
}

extension DragboardConnection {
  /// The version of this library.
  public static let version = Dragboard.version

  /// The daemon's process.
  public nonisolated var daemon: DragboardDaemon { DragboardDaemon(connection: self) }

  /// Returns the process id of a connection on the bus, such as `:1.42`.
  ///
  /// - Throws: `other` if the connection has left the bus.
  public func processID(ofConnection name: String) async throws(DragboardError) -> Int32 {
    Int32(
      clamping: try await reply(
        to: BusMethods.processID, at: BusInterface.path, of: .bus, name
      ).values)
  }
}

/// Methods of `org.freedesktop.DBus`.
private enum BusMethods {
  static let listActivatableNames = MethodDeclaration<Arguments<>, Arguments<[String]>>(
    BusInterface.name, "ListActivatableNames", out: "activatable_names")
  static let processID = MethodDeclaration<Arguments<String>, Arguments<UInt32>>(
    BusInterface.name, "GetConnectionUnixProcessID", in: "bus_name", out: "unix_process_id")
}
