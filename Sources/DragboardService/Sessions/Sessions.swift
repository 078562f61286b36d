import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// The registry of drag sessions: the active ones, and those that ended within the last minute.
final class Sessions: Entity {
  /// The time for which an ended session can be read, and the maximum number of such sessions: the
  /// oldest is removed first.
  private static let afterlife = Duration.seconds(60)
  private static let maxEnded = 4_096
  /// The maximum number of rows that the ended sessions dragged: their ids stay readable.
  private static let maxEndedRows = 100_000

  private let server: ObjectServer
  private let scheduler: Scheduler
  private let limits: Limits
  private let ids: ItemIDs
  private let numbers: PathNumbers
  /// The interfaces of a session.
  var interfaces: (SessionEntity) -> [ObjectInterface] = { _ in [] }
  /// The bytes of all sessions.
  let budget: SessionBytes
  private var sessions: [String: SessionEntity] = [:]
  /// The active sessions, the oldest first.
  private(set) var active: [SessionEntity] = []
  /// The sessions that have ended, the earliest first.
  private var ended: [(since: Duration, session: SessionEntity)] = []
  private var endedRows = 0
  /// The last reported value of `Dragging`: whether a session was active.
  private var isDragging = false
  /// Fires when the first of the ended sessions must be removed.
  private var purgeTimer: Timer?

  init(
    _ server: ObjectServer, _ scheduler: Scheduler, limits: Limits, ids: ItemIDs,
    numbers: PathNumbers
  ) {
    (self.server, self.scheduler, self.limits) = (server, scheduler, limits)
    (self.ids, self.numbers) = (ids, numbers)
    budget = SessionBytes(max: limits.maxBytes)
  }

  /// Whether there are no sessions, including ended ones that can be read.
  var isEmpty: Bool { sessions.isEmpty }

  /// The paths of the active sessions, the oldest first.
  var activePaths: [ObjectPath] { active.map(\.path) }

  /// The number of rows that are dragged, by one sandbox or by all clients.
  func draggedRowCount(of sandbox: String? = nil) -> Int {
    active.reduce(0) {
      sandbox == nil || $1.sandbox == sandbox ? $0 + $1.sourceRows.count : $0
    }
  }

  // MARK: Beginning

  /// Registers a session.
  ///
  /// - Parameters:
  ///   - session: the new session.
  ///   - board: the board whose rows are dragged.
  ///   - command: the call that begins the drag.
  /// - Returns: the session on the bus.
  /// - Throws: LimitsExceeded, which names the limit; IOError.
  func begin(
    _ session: DragSession, of board: BoardEntity?, by command: Command
  ) throws(DBusError) -> SessionEntity {
    let step = command.step
    step.read(self)
    let sandbox = command.access.sandboxOfQuotas
    try checkCount(of: session.source, sandbox)
    try budget.checkRoom(for: session.byteCount, of: sandbox)
    let entity = SessionEntity(
      try numbers.next(in: step), session, of: board, by: command.access, limits: limits,
      budget: budget, ids: ids, scheduler)
    step.change(self) { { [self] in discard(entity) } }
    step.change(entity) { {} }
    sessions[entity.path.text] = entity
    active.append(entity)
    server.export(entity.path, interfaces(entity))
    noteActive(in: step)
    return entity
  }

  private func checkCount(of source: Application, _ sandbox: String?) throws(DBusError) {
    guard active.count < limits.maxSessions else {
      throw .limit("max-sessions", limits.maxSessions)
    }
    let share = Quota.share(of: limits.maxSessions)
    if let sandbox, active.count(where: { $0.sandbox == sandbox }) >= share {
      throw .limit("a sandbox's share of max-sessions", share)
    }
    let max = limits.maxSessionsPerApplication
    guard active.count >= max else { return }
    guard active.count(where: { $0.session.source == source }) < max else {
      throw .limit("max-sessions-per-application", max)
    }
  }

  /// Removes a session whose beginning is rolled back.
  private func discard(_ session: SessionEntity) {
    budget.count(-session.session.byteCount, of: session.sandbox)
    active.removeAll { $0 === session }
    isDragging = !active.isEmpty
    remove(session)
  }

  // MARK: Finding

  /// The session at a path in a call.
  ///
  /// - Throws: NoSuchSession.
  func find(_ path: ObjectPath, in step: Step) throws(DBusError) -> SessionEntity {
    guard let session = sessions[path.text] else {
      throw DBusError(.noSuchSession, "session: no session at \(path)")
    }
    session.noteUse(at: scheduler.uptime)
    step.read(session)
    return session
  }

  // MARK: Ending

  /// Moves a session to those that have ended; it can be read for a minute.
  func noteEnd(of session: SessionEntity, in step: Step) {
    step.change(self) { { [self] in revive(session) } }
    active.removeAll { $0 === session }
    ended.append((scheduler.uptime, session))
    endedRows += session.sourceRows.count
    noteActive(in: step)
    step.afterCommit { [self] in
      removeSome()
      armPurgeTimer()
    }
  }

  /// Makes a session active again whose end is rolled back.
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

  private func noteActive(in step: Step) {
    step.noteChange(of: ManagerInterface.sessions, at: Dragboard.root)
    guard isDragging == active.isEmpty else { return }
    isDragging = !active.isEmpty
    step.noteChange(of: ManagerInterface.dragging, at: Dragboard.root)
  }

  // MARK: Contents of rows

  /// Reads the contents of rows that sessions need, before the rows change or are deleted.
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

  /// Reads the contents of a board's rows that sessions need, before the board is purged.
  func preserveContents(ofRowsOf board: BoardKey) throws(StoreError) {
    for session in active where session.session.origin?.board == board {
      for content in session.rowContents { try content.preserve() }
    }
  }

  /// Makes sessions with rows of a restored board drags of this board again.
  func resumeDrags(of board: BoardEntity, in step: Step) {
    for session in active where session.session.origin?.board == board.key {
      step.onRollback { [old = session.board] in session.board = old }
      session.board = board
      board.countDrags(1, in: step)
    }
  }
}
