import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// The registry of the active drag sessions and of the sessions that ended within the last minute.
final class Sessions: Entity {
  /// The time for which an ended session can be read, and the maximum number of ended sessions.
  ///
  /// If there are more, the oldest is removed.
  private static let afterlife = Duration.seconds(60)
  private static let maxEnded = 4_096
  /// The maximum number of dragged rows of all ended sessions, because the ids of these rows stay
  /// readable.
  private static let maxEndedRows = 100_000

  private let server: ObjectServer
  private let scheduler: Scheduler
  private let limits: Limits
  private let ids: ItemIDs
  private let numbers: PathNumbers
  /// The interfaces of a session.
  var interfaces: (SessionEntity) -> [ObjectInterface] = { _ in [] }
  /// Called when the first drag of a board's rows has begun, or the last one has ended.
  var onDragsOfBoard: (BoardKey, Step) -> Void = { _, _ in }
  /// The bytes of all sessions.
  let budget: SessionBytes
  private var sessions: [String: SessionEntity] = [:]
  /// The active sessions, the oldest first.
  private(set) var active: [SessionEntity] = []
  /// The sessions that have ended, in the order of their ends.
  private var ended: [(since: Duration, session: SessionEntity)] = []
  private var endedRows = 0
  /// The last reported value of the property `Dragging`.
  private var isDragging = false
  /// Fires when the oldest ended session must be removed.
  private var purgeTimer: Timer?

  init(
    _ server: ObjectServer, _ scheduler: Scheduler, limits: Limits, ids: ItemIDs,
    numbers: PathNumbers
  ) {
    (self.server, self.scheduler, self.limits) = (server, scheduler, limits)
    (self.ids, self.numbers) = (ids, numbers)
    budget = SessionBytes(max: limits.maxBytes)
  }

  /// Whether there are no active sessions and no ended sessions that can be read.
  var isEmpty: Bool { sessions.isEmpty }

  /// The paths of the active sessions, the oldest first.
  var activePaths: [ObjectPath] { active.map(\.path) }

  /// Returns the number of rows that one sandbox drags; nil means all clients.
  func draggedRowCount(of sandbox: String? = nil) -> Int {
    active.reduce(0) {
      sandbox == nil || $1.sandbox == sandbox ? $0 + $1.sourceRows.count : $0
    }
  }

  /// Returns the number of active sessions that drag rows of a board.
  func dragCount(of board: BoardKey) -> Int {
    active.count { $0.session.origin?.board == board }
  }

  // MARK: Beginning

  /// Registers a session.
  ///
  /// - Parameters:
  ///   - session: the new session.
  ///   - board: the path of the board whose rows are dragged; "/" if the items are not rows.
  ///   - command: the call that begins the drag.
  /// - Returns: the session on the bus.
  /// - Throws: LimitsExceeded if there are too many sessions; the message names the limit. IOError
  ///   if the call depends on edits that cannot be stored.
  func begin(
    _ session: DragSession, of board: ObjectPath, by command: Command
  ) throws(DBusError) -> SessionEntity {
    let step = command.step
    step.read(self)
    let sandbox = command.access.sandboxOfQuotas
    try checkCount(of: session.source, sandbox)
    try budget.checkRoom(for: session.amount, of: sandbox)
    let entity = SessionEntity(
      try numbers.next(in: step), session, of: board, by: command.access, limits: limits,
      budget: budget, ids: ids, scheduler)
    step.change(self) { { [self] in discard(entity) } }
    step.markChanged(entity)
    sessions[entity.path.text] = entity
    active.append(entity)
    server.export(entity.path, interfaces(entity))
    noteActive(entity, in: step)
    return entity
  }

  private func checkCount(of source: Application, _ sandbox: String?) throws(DBusError) {
    guard active.count < limits.maxSessions else {
      throw .limit("application: max-sessions", limits.maxSessions)
    }
    let share = Quota.share(of: limits.maxSessions)
    if let sandbox, active.count(where: { $0.sandbox == sandbox }) >= share {
      throw .limit("application: a sandbox's share of max-sessions", share)
    }
    let max = limits.maxSessionsPerApplication
    guard active.count >= max else { return }
    guard active.count(where: { $0.session.source == source }) < max else {
      throw .limit("application: max-sessions-per-application", max)
    }
  }

  /// Removes a session, because its creation was rolled back.
  private func discard(_ session: SessionEntity) {
    budget.count(SessionBytes.Amount() - session.session.amount, of: session.sandbox)
    active.removeAll { $0 === session }
    isDragging = !active.isEmpty
    remove(session)
  }

  // MARK: Finding

  /// Returns the session at a path that a call names.
  ///
  /// - Throws: NoSuchSession if there is no session at the path.
  func find(_ path: ObjectPath, in step: Step) throws(DBusError) -> SessionEntity {
    guard let session = sessions[path.text] else {
      throw DBusError(.noSuchSession, "session: there is no session at \(path)")
    }
    session.noteUse(at: scheduler.uptime)
    step.read(session)
    return session
  }

  // MARK: Ending

  /// Moves a session to the list of ended sessions, where it can be read for a minute.
  func noteEnd(of session: SessionEntity, in step: Step) {
    step.change(self) { { [self] in revive(session) } }
    active.removeAll { $0 === session }
    ended.append((scheduler.uptime, session))
    endedRows += session.sourceRows.count
    noteActive(session, in: step)
    step.afterCommit { [self] in
      removeSome()
      armPurgeTimer()
    }
  }

  /// Makes a session active again, because its end was rolled back.
  private func revive(_ session: SessionEntity) {
    guard let index = ended.firstIndex(where: { $0.session === session }) else { return }
    ended.remove(at: index)
    endedRows -= session.sourceRows.count
    let place = active.firstIndex { $0.beginning > session.beginning } ?? active.endIndex
    active.insert(session, at: place)
    isDragging = true
  }

  private func removeSome() {
    while ended.count > Self.maxEnded || (ended.count > 1 && endedRows > Self.maxEndedRows) {
      removeOldest()
    }
  }

  private func removeOldest() {
    let session = ended.removeFirst().session
    endedRows -= session.sourceRows.count
    remove(session)
  }

  private func remove(_ session: SessionEntity) {
    sessions[session.path.text] = nil
    server.withdraw(session.path)
  }

  private func armPurgeTimer() {
    guard purgeTimer == nil, let first = ended.first else { return }
    let delay = first.since + Self.afterlife - scheduler.uptime
    purgeTimer = scheduler.after(max(.zero, delay)) { [weak self] _ in self?.purgeEnded() }
  }

  private func purgeEnded() {
    purgeTimer = nil
    let latest = scheduler.uptime - Self.afterlife
    while let first = ended.first, first.since <= latest { removeOldest() }
    armPurgeTimer()
  }

  /// Reports that a session has begun or ended.
  private func noteActive(_ session: SessionEntity, in step: Step) {
    if let board = session.session.origin?.board, dragCount(of: board) == (session.isOver ? 0 : 1) {
      onDragsOfBoard(board, step)
    }
    step.noteChange(of: ManagerInterface.sessions, at: Dragboard.root)
    guard isDragging == active.isEmpty else { return }
    isDragging = !active.isEmpty
    step.noteChange(of: ManagerInterface.dragging, at: Dragboard.root)
  }

  // MARK: Contents of rows

  /// Reads the contents of rows that sessions drag.
  ///
  /// Call it before the rows change or are deleted.
  func preserveContents(of rows: [RowID]) throws(StoreError) {
    guard !rows.isEmpty else { return }
    let dragged = active.filter { $0.session.origin != nil }
    guard !dragged.isEmpty else { return }
    let rows = Set(rows)
    for session in dragged {
      for content in session.rowContents where content.row.map(rows.contains) ?? false {
        try content.preserve()
      }
    }
  }

  /// Reads the contents of a board's rows that sessions drag.
  ///
  /// Call it before the board is purged.
  func preserveContents(ofRowsOf board: BoardKey) throws(StoreError) {
    for session in active where session.session.origin?.board == board {
      for content in session.rowContents { try content.preserve() }
    }
  }
}
