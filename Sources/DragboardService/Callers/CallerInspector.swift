public import DBus

/// The part of the daemon that is in no user namespace of its own: it sees of processes what the daemon, so confined, cannot.
///
/// It tells what is seen, and concludes nothing; what it tells every process of the user can see for itself that is in no sandbox, and
/// one that is in one has its name out of reach. Confined to the connection's loop.
public final class CallerInspector {
  /// So many connections are looked at at once: as many as the daemon lets wait.
  private static let mostInspections = 8_192
  /// Who leaves waits so long for what is in hand.
  private static let patience = Duration.seconds(5)

  private let connection: Connection
  private let server: ObjectServer
  private let pool: WorkerPool
  private let idleTimeout: Duration
  private let onEnd: () -> Void
  private var inspections = 0
  /// Whether anybody has asked since that was last looked at.
  private var wasAsked = false
  private var isLeaving = false
  private var hasLeft = false

  /// An inspector that is not on the bus yet.
  ///
  /// - Parameters:
  ///   - connection: the bus it will be on.
  ///   - idleTimeout: it leaves when nobody has asked for so long.
  ///   - onEnd: called when it has left, and all is answered.
  public init(
    on connection: Connection, idleTimeout: Duration, onEnd: @escaping () -> Void
  ) {
    self.connection = connection
    self.idleTimeout = idleTimeout
    self.onEnd = onEnd
    server = ObjectServer(connection)
    pool = WorkerPool(connection.loop)
  }

  /// Exports the object, then takes the name.
  ///
  /// - Returns: whether the name was free.
  /// - Throws: what the bus said.
  public func start() throws(DBusError) -> Bool {
    var table = InterfaceTable<CallerInspector>(InspectorInterface.name)
    table.deferredMethod(InspectorInterface.inspect) {
      (inspector, _, reply, name) throws(DBusError) in
      try inspector.inspect(name, for: reply)
    }
    server.export(InspectorInterface.path, [ObjectInterface(table, of: self)])
    watchIdleness()
    return try connection.requestName(InspectorInterface.busName) == .owner
  }

  // MARK: The end

  /// Gives the name back, answers what is in hand, and then says that it has left.
  public func leave() {
    guard !isLeaving else { return }
    isLeaving = true
    connection.loop.schedule(after: Self.patience) { [onEnd] in onEnd() }
    // What had been sent to the name comes before the answer.
    connection.call(
      BusInterface.releaseName, at: BusInterface.path, of: .bus, timeout: nil,
      InspectorInterface.busName.text
    ) { [weak self] _ in
      self?.hasLeft = true
      self?.endWhenDone()
    }
  }

  private func endWhenDone() {
    if hasLeft, inspections == 0 { onEnd() }
  }

  private func watchIdleness() {
    connection.loop.schedule(after: idleTimeout) { [weak self] in
      guard let self else { return }
      guard wasAsked else { return leave() }
      wasAsked = false
      watchIdleness()
    }
  }

  // MARK: Looking

  private func inspect(
    _ name: String, for reply: Reply<[String: [UInt8]], [String]>
  ) throws(DBusError) {
    guard BusName.isValid(name), BusName(unchecked: name).isUnique else {
      throw DBusError(
        .invalidArgs, "connection: '\(name)' is no unique name of a connection, such as ':1.42'")
    }
    guard inspections < Self.mostInspections else {
      throw DBusError(
        .limitsExceeded,
        "\(Self.mostInspections) connections are being looked at; wait for the replies")
    }
    wasAsked = true
    inspections += 1
    connection.call(
      BusInterface.getConnectionCredentials, at: BusInterface.path, of: .bus, timeout: nil, name
    ) { [self] result in
      switch result {
      case .success(let values): look(Credentials(values), name, for: reply)
      case .failure(let error):
        reply.refuse(error)
        conclude()
      }
    }
  }

  private func look(
    _ credentials: Credentials, _ name: String, for reply: Reply<[String: [UInt8]], [String]>
  ) {
    pool.run(inLane: name, mayHang: true) {
      SeenFiles(ProcessInspection.evidence(of: credentials))
    } then: { [self] seen in
      reply.send(seen.contents, seen.absent)
      conclude()
    }
  }

  private func conclude() {
    inspections -= 1
    endWhenDone()
  }
}
