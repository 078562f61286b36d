import DBus
import DragboardInterface

/// What is known of the daemon without asking it, so that nothing starts it.
extension DragboardConnection {
  /// The version that this library is of.
  public static let version = Dragboard.version

  /// The daemon's version.
  ///
  /// - Throws: `noDaemon`.
  public func daemonVersion() async throws(DragboardError) -> String {
    try await get(ManagerInterface.version, at: Dragboard.root)
  }

  /// Whether the daemon is on the bus.
  public func isDaemonRunning() async throws(DragboardError) -> Bool {
    try await askBus(BusInterface.nameHasOwner, Dragboard.busName.text)
  }

  /// Whether the bus can start the daemon: an activation file is installed.
  public func isDaemonActivatable() async throws(DragboardError) -> Bool {
    try await askBus(BusQuestions.listActivatableNames).contains(Dragboard.busName.text)
  }

  /// The process id of the daemon that is on the bus.
  ///
  /// - Throws: `noDaemon`.
  public func daemonProcessID() async throws(DragboardError) -> Int32 {
    Int32(clamping: try await askBus(BusQuestions.processID, Dragboard.busName.text))
  }

  private func askBus<each I: BusValue, each O: BusValue>(
    _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    _ arguments: repeat each I
  ) async throws(DragboardError) -> (repeat each O) {
    do throws(DBusError) {
      return try await bus.call(method, at: BusInterface.path, of: .bus, repeat each arguments)
    } catch { throw DragboardError(error, at: BusInterface.path) }
  }
}

/// Methods of `org.freedesktop.DBus`.
enum BusQuestions {
  static let listActivatableNames = MethodDeclaration<Arguments<>, Arguments<[String]>>(
    BusInterface.name, "ListActivatableNames", out: "activatable_names")
  static let processID = MethodDeclaration<Arguments<String>, Arguments<UInt32>>(
    BusInterface.name, "GetConnectionUnixProcessID", in: "bus_name", out: "unix_process_id")
}
