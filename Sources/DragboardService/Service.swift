public import DBus
import DragModel
import DragboardInterface
public import Logging

/// Dragboard on a bus: the manager, the boards and the drag sessions, with what they share.
///
/// Confined to the connection's loop.
public final class Service {
  let connection: Connection
  let server: ObjectServer
  let repository: any BoardRepository
  let limits: Limits
  let log: Logger
  let ids: ItemIDs
  let batch: Batch
  let now: () -> UInt64
  private(set) lazy var boards = BoardCollection(self)
  private(set) lazy var sessions = SessionTable(self)
  private(set) lazy var peers = PeerWatch(connection)
  private(set) lazy var manager = ManagerObject(self)

  /// A service that is not on the bus yet.
  ///
  /// - Parameters:
  ///   - connection: the bus it will be on.
  ///   - repository: where its boards are kept.
  ///   - limits: what clients can make it hold.
  ///   - log: where it tells of what its clients are not told.
  ///   - now: the time, in microseconds since 1970, UTC.
  public init(
    on connection: Connection, repository: any BoardRepository, limits: Limits, log: Logger,
    now: @escaping () -> UInt64
  ) {
    self.connection = connection
    self.repository = repository
    self.limits = limits
    self.log = log
    self.now = now
    server = ObjectServer(connection)
    ids = ItemIDs(salt: repository.salt)
    batch = Batch(connection, repository, log)
  }

  /// Exports everything, then takes the name: whoever sees the name sees all boards.
  ///
  /// - Returns: whether the name was free.
  /// - Throws: `RepositoryError` where the boards cannot be read or "default" cannot be made; `DBusError` of the bus.
  public func start() throws -> Bool {
    server.manageObjects(below: Dragboard.root)
    try boards.load()
    server.export(Dragboard.root, [ObjectInterface(ManagerObject.table(), of: manager)])
    server.willAnswer = { [unowned self] call throws(DBusError) in
      try batch.restore()
      noteUse(by: call)
    }
    connection.onBatchEnd = { [unowned self] in batch.conclude() }
    guard try connection.requestName(Dragboard.busName) == .owner else { return false }
    purgeLater()
    return true
  }

  /// Concludes what is in hand, ends every session, and leaves the bus.
  public func stop() {
    batch.conclude()
    sessions.endAll()
    server.flushChanges()
    batch.conclude()
    connection.close()
  }

  /// Notes what object the call in hand asks: it is in use, and what an open batch has made of it is not sure yet.
  private func noteUse(by call: Call) {
    sessions.noteUse(of: call.path)
    guard batch.isOpen else { return }
    if let board = boards.find(path: call.path) { batch.reading(board) }
    let tellsAll = ObjectManagerInterface.getManagedObjects.description.name.text
    if call.path == Dragboard.root.text, call.member == tellsAll { batch.readingAll() }
  }

  /// The application that a client drags, drops or views as.
  ///
  /// - Throws: InvalidArgs for what is no application id, AccessDenied for another connection's unique name.
  func application(_ argument: String, of call: Call) throws(DBusError) -> Application {
    do throws(ApplicationError) {
      return try Application.parse(argument, caller: call.caller)
    } catch {
      switch error {
      case .malformed: throw DBusError(.invalidArgs, "\(error)")
      case .notYours: throw DBusError(.accessDenied, "\(error)")
      }
    }
  }

  /// How long the daemon waits between two steps of cleaning up, and after one that failed.
  private static let purgeInterval = Duration.milliseconds(20)
  private static let purgeRetryInterval = Duration.seconds(60)

  /// Removes what no board holds any more, a little at a time, between the calls of clients.
  func purgeLater(after delay: Duration = purgeInterval) {
    guard !isPurging else { return }
    isPurging = true
    connection.loop.schedule(after: delay) { [weak self] in self?.purgeSome() }
  }

  private var isPurging = false

  private func purgeSome() {
    isPurging = false
    do throws(RepositoryError) {
      let isMore = try repository.purge()
      try repository.commit()
      if isMore { purgeLater() }
    } catch {
      repository.rollback()
      log.error("what was deleted is not cleaned up yet: \(error.message)")
      purgeLater(after: Self.purgeRetryInterval)
    }
  }
}

extension Call {
  /// Who calls.
  var caller: Caller { Caller(uniqueName: sender) }
}
