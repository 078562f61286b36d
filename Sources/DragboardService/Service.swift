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
  private(set) lazy var sessionNumbers = PathNumbers(self) {
    [repository] () throws(RepositoryError) in
    try repository.reserveSessionNumbers()
  }
  private(set) lazy var viewNumbers = PathNumbers(self) { [repository] () throws(RepositoryError) in
    try repository.reserveViewNumbers()
  }
  private(set) lazy var boards = BoardCollection(self)
  private(set) lazy var sessions = SessionTable(self)
  private(set) lazy var views = ViewCollection(self)
  private(set) lazy var peers = PeerWatch(connection)
  private(set) lazy var manager = ManagerObject(self)
  private(set) lazy var promises = PromiseQueue(self)
  private(set) lazy var words = WordIndex(self)
  private lazy var trim = IdleTrim(self)
  private lazy var traces = TraceErasure(self)
  private(set) lazy var clientWork = ClientWork(self)
  private(set) lazy var largeReads = LargeReads(self)
  private(set) lazy var sandboxStorage = SandboxStorage(self)
  private(set) lazy var clientCopies = ClientCopies(
    self, watch: InotifyWatch(connection.loop))
  private lazy var callers = CallerIdentification(self, opensContents: opensContents)
  private(set) lazy var admission = Admission(server) { [unowned self] name, then in
    callers.identify(name, then: then)
  }
  private let opensContents: Bool
  private let pool: WorkerPool
  /// How much work is done off the loop, or in steps.
  private var workCount = 0
  private var departure: Departure?
  private var idleWatch: IdleWatch?

  /// A service that is not on the bus yet.
  ///
  /// - Parameters:
  ///   - connection: the bus it will be on.
  ///   - repository: where its boards are kept.
  ///   - limits: what clients can make it hold.
  ///   - sandboxedRead: whether sandboxed clients may know what rows hold that others brought.
  ///   - log: where it tells of what its clients are not told.
  ///   - now: the time, in microseconds since 1970, UTC.
  public init(
    on connection: Connection, repository: any BoardRepository, limits: Limits,
    sandboxedRead: Bool = false, log: Logger, now: @escaping () -> UInt64
  ) {
    self.connection = connection
    self.repository = repository
    self.limits = limits
    opensContents = sandboxedRead
    self.log = log
    self.now = now
    server = ObjectServer(connection)
    ids = ItemIDs(salt: repository.salt)
    batch = Batch(server, repository, log)
    server.sink = batch
    pool = WorkerPool(connection.loop)
  }

  /// Exports everything, then takes the name: whoever sees the name sees all boards.
  ///
  /// - Returns: whether the name was free.
  /// - Throws: `RepositoryError` where the boards cannot be read or "default" cannot be made; `DBusError` of the bus.
  public func start() throws -> Bool {
    server.manageObjects(below: Dragboard.root)
    try boards.load()
    // From now on it is known when connections appear.
    _ = (callers, admission)
    server.export(Dragboard.root, [ObjectInterface(ManagerObject.table(), of: manager)])
    server.willAnswer = { [unowned self] call throws(DBusError) in try prepare(for: call) }
    connection.willHandleMessage = { [unowned self] in batch.beginStep() }
    connection.onIterationEnd = { [unowned self] in endTurn() }
    guard try connection.requestName(Dragboard.busName, .replaceable) == .owner else {
      return false
    }
    purgeLater()
    words.noteRows()
    return true
  }

  // MARK: The end

  /// The flags by which the name is had.
  static let nameFlags = NameRequestFlags([.replaceable, .notWaiting]).rawValue

  /// Says what leaving takes: `leave` can be called from then on, and is, when another daemon takes the name.
  ///
  /// - Parameters:
  ///   - isActivated: whether it leaves, too, when nobody has used it for the idle timeout: the next call starts another one.
  ///   - onLeaving: called before the name is given back, and with false where the service has it again and stays.
  ///   - onEnd: called when it is time for `stop`.
  public func prepareToLeave(
    isActivated: Bool, onLeaving: @escaping (Bool) -> Void, onEnd: @escaping () -> Void
  ) {
    let departure = Departure(self, onLeaving: onLeaving, onEnd: onEnd)
    self.departure = departure
    connection.subscribe(to: BusInterface.nameLost, of: .bus) { [unowned self] name in
      if name == Dragboard.busName.text { leave() }
    }
    guard isActivated else { return }
    idleWatch = IdleWatch(self) { departure.begin(isForced: false) }
    idleWatch?.start()
  }

  /// Gives the name back, answers what is in hand, and then says that it is time for `stop`.
  public func leave() { departure?.begin(isForced: true) }

  /// Whether there is something that does not outlive the service.
  var isInUse: Bool { !sessions.isEmpty || !views.isEmpty }

  /// Whether nothing is being done for anybody.
  var isAtRest: Bool {
    workCount == 0 && clientWork.isAtRest && admission.isAtRest && !words.isAwaited
  }

  /// Concludes what is in hand, ends every session, and leaves the bus.
  public func stop() {
    batch.conclude()
    sessions.endAll()
    server.flushChanges()
    batch.conclude()
    connection.close()
  }

  // MARK: Events that no message brings

  /// How long the event loop has run: what is measured against timers is measured by it.
  var uptime: Duration { connection.loop.uptime }

  /// Has `body` called as an event of its own when `delay` has gone by.
  @discardableResult
  func schedule(after delay: Duration, _ body: @escaping () -> Void) -> Timer {
    connection.loop.schedule(after: delay) { [batch] in
      batch.beginStep()
      body()
    }
  }

  /// Does `work`, which may wait for a disk, off the loop, and then has `then` called as an event of its own.
  ///
  /// - Parameters:
  ///   - lane: what is done one after the other bears the same name: work for one client.
  ///   - kind: what it may have to wait for.
  ///   - work: what is done on another thread.
  ///   - then: gets what came of it, on the loop.
  /// - Returns: the job, which can be cancelled until it begins.
  @discardableResult
  func work<Outcome: Sendable>(
    inLane lane: String? = nil, kind: WorkKind = .storage,
    _ work: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void
  ) -> WorkerPool.Job {
    // What may hang is waited for no longer than whoever asked for it does.
    let isAwaited = kind == .storage
    if isAwaited { workCount += 1 }
    return pool.run(inLane: lane, kind: kind, work) { [self] outcome in
      if isAwaited { workCount -= 1 }
      batch.beginStep()
      then(outcome)
    }
  }

  /// Takes back a job that has not begun; false if it has.
  func cancel(_ job: WorkerPool.Job) -> Bool { pool.cancel(job) }

  /// Does a little at a time, with others' calls in between: calls `step`, as an event of its own, until it says that there is no more to do.
  func workInSteps(_ step: @escaping () -> Bool) {
    workCount += 1
    schedule(after: .zero) { [self] in
      workCount -= 1
      if step() { workInSteps(step) }
    }
  }

  // MARK: Calls

  private func prepare(for call: Call) throws(DBusError) {
    try batch.restore()
    idleWatch?.wasUsed = true
    trim.noteCall()
    noteUse(by: call)
  }

  /// Concludes what the calls of this turn have begun.
  private func endTurn() {
    batch.conclude()
    largeReads.startSome()
    if repository.hasGarbage { purgeLater() }
  }

  /// Notes what object the call in hand asks: it is in use, and what an open batch has made of it is not sure yet.
  private func noteUse(by call: Call) {
    sessions.noteUse(of: call.path)
    guard batch.isOpen else { return }
    if let board = boards.find(path: call.path) { batch.reading(board) }
    if let view = views.find(path: call.path) { batch.reading(view) }
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

  /// How long the daemon waits until it cleans up, between two steps of that, and after one that failed.
  private static let purgeInterval = Duration.milliseconds(20)
  private static let purgePause = Duration.milliseconds(1)
  private static let purgeRetryInterval = Duration.seconds(60)

  /// Removes what no board holds any more, a little at a time, between the calls of clients.
  func purgeLater(after delay: Duration = purgeInterval) {
    guard !isPurging else { return }
    isPurging = true
    schedule(after: delay) { [weak self] in self?.purgeSome() }
  }

  private var isPurging = false
  /// How many steps of cleaning up are committed together, and how many have not been.
  private static let purgeBatch = 16
  private var purgeSteps = 0

  private func purgeSome() {
    isPurging = false
    // What another event of this turn has written is committed with its batch, or not at all.
    guard !batch.isOpen else { return purgeLater() }
    do throws(RepositoryError) {
      let isMore = try repository.purge()
      purgeSteps += 1
      if !isMore || purgeSteps >= Self.purgeBatch {
        purgeSteps = 0
        try repository.commit()
      }
      // Some of it can go when the rest has gone for good.
      if isMore || repository.hasGarbage {
        purgeLater(after: Self.purgePause)
      } else {
        traces.eraseLater()
      }
    } catch {
      repository.rollback()
      log.error("what was deleted is not cleaned up yet: \(error.message)")
      purgeLater(after: Self.purgeRetryInterval)
    }
  }
}
