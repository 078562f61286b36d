import BoardModel
import DBus
import DragModel
import DragboardInterface

/// All drag sessions: those that have not ended, and for a minute those that have.
final class SessionTable {
  private unowned let service: Service
  private let table = DragSessionTable.table()
  private var sessions: [String: SessionObject] = [:]
  /// Those that have not ended, oldest first.
  private var active: [SessionObject] = []
  /// Those that have, the longest ago first.
  private var ended: [(since: Duration, session: SessionObject)] = []
  private var byteCount = 0
  private var endedRows = 0
  /// Whether there was an active session when that was last told.
  private var isDragging = false
  /// Goes off when the first of the active ones may have been left alone for too long.
  private var expiry: Timer?
  /// Goes off when the first of the ended ones is to be forgotten.
  private var oblivion: Timer?

  /// How long an ended session can be read, and how many of them at most: the oldest goes first.
  private static let afterlife = Duration.seconds(60)
  private static let mostEnded = 4_096
  /// How many rows they may have dragged, all together: their ids stay readable.
  private static let mostEndedRows = 100_000

  init(_ service: Service) { self.service = service }

  /// Whether there is none, not even one that has ended and can still be read.
  var isEmpty: Bool { sessions.isEmpty }

  /// The paths of the sessions that have not ended, oldest first.
  var activePaths: [ObjectPath] {
    service.batch.reading(self)
    return active.map(\.path)
  }

  // MARK: Beginning

  /// Opens a session.
  ///
  /// - Throws: LimitsExceeded, which names the limit; IOError if it rests on edits that could not be stored.
  func begin(
    _ session: DragSession, from board: BoardObject? = nil, by access: BoardAccess
  ) throws(DBusError) -> SessionObject {
    service.batch.reading(self)
    let sandbox = access.sandboxOfQuotas
    try checkCount(of: session.source, sandbox)
    try checkRoom(for: session.byteCount, of: sandbox)
    let number = try service.sessionNumbers.next()
    let object = SessionObject(number, session, from: board, by: access, service: service)
    sessions[object.path.text] = object
    active.append(object)
    byteCount += session.byteCount
    service.server.export(object.path, [ObjectInterface(table, of: object)])
    noteActive()
    object.begin()
    if session.itemCount > 0 {
      service.batch.emit(
        DragSessionInterface.itemsAdded, from: object.path, 0, UInt32(session.itemCount))
    }
    if service.batch.isProvisional {
      service.batch.touch(object) { [self] in discard(object) }
      service.batch.touch(self)
    }
    armExpiry()
    return object
  }

  private func checkCount(of source: Application, _ sandbox: String?) throws(DBusError) {
    let limits = service.limits
    guard active.count < limits.maxSessions else {
      throw .limit("max-sessions", limits.maxSessions)
    }
    let share = Quota.share(of: limits.maxSessions)
    if let sandbox, active.count(where: { $0.sandbox == sandbox }) >= share {
      throw .limit("a sandbox's share of max-sessions", share)
    }
    guard active.count >= limits.maxSessionsPerApplication else { return }
    guard
      active.count(where: { $0.session.source == source }) < limits.maxSessionsPerApplication
    else { throw .limit("max-sessions-per-application", limits.maxSessionsPerApplication) }
  }

  // MARK: Finding

  /// The session at that path, which the call in hand has named.
  ///
  /// - Throws: NoSuchSession.
  func find(_ path: ObjectPath) throws(DBusError) -> SessionObject {
    guard let session = sessions[path.text] else {
      throw DBusError(.noSuchSession, "session: there is no session at \(path)")
    }
    session.lastUse = service.uptime
    service.batch.reading(session)
    return session
  }

  /// Notes that a call names the session that it is for.
  func noteUse(of path: String) {
    guard !sessions.isEmpty, let session = sessions[path] else { return }
    session.lastUse = service.uptime
    service.batch.reading(session)
  }

  // MARK: Ending

  /// Keeps a session that has just ended for a minute.
  func hasEnded(_ session: SessionObject) {
    if service.batch.isProvisional { service.batch.touch(self) }
    active.removeAll { $0 === session }
    ended.append((service.uptime, session))
    endedRows += session.rowCount
    while ended.count > Self.mostEnded || (ended.count > 1 && endedRows > Self.mostEndedRows) {
      forgetOldest()
    }
    noteActive()
    armOblivion()
  }

  /// Takes back the end of a session whose drop could not be stored.
  func hasRevived(_ session: SessionObject) {
    removeFromEnded(session)
    let index = active.firstIndex { $0.beginning > session.beginning } ?? active.endIndex
    active.insert(session, at: index)
    noteActive()
    armExpiry()
  }

  /// Ends every session: the daemon leaves.
  func endAll() { for session in active { session.apply { $0.shutDown() } } }

  private func forgetOldest() {
    let session = ended.removeFirst().session
    endedRows -= session.rowCount
    forget(session)
  }

  private func forget(_ session: SessionObject) {
    sessions[session.path.text] = nil
    service.server.withdraw(session.path)
  }

  /// Takes back the beginning of a session, of which nobody has heard.
  private func discard(_ session: SessionObject) {
    session.apply { $0.shutDown() }
    removeFromEnded(session)
    forget(session)
  }

  private func removeFromEnded(_ session: SessionObject) {
    guard let index = ended.firstIndex(where: { $0.session === session }) else { return }
    ended.remove(at: index)
    endedRows -= session.rowCount
  }

  private func noteActive() {
    service.server.noteChange(of: ManagerInterface.sessions, at: Dragboard.root)
    guard isDragging == active.isEmpty else { return }
    isDragging = !active.isEmpty
    service.server.noteChange(of: ManagerInterface.dragging, at: Dragboard.root)
  }

  // MARK: Time

  /// Arms the timer where it is not armed.
  ///
  /// O(active sessions), once in a session's time at most.
  private func armExpiry() {
    guard expiry == nil, let first = active.lazy.map(\.lastUse).min() else { return }
    let due = first + service.limits.sessionTimeout
    expiry = service.schedule(after: max(.zero, due - service.uptime)) { [unowned self] in
      expiry = nil
      expire()
      armExpiry()
    }
  }

  private func expire() {
    let last = service.uptime - service.limits.sessionTimeout
    for session in active where session.lastUse <= last {
      if session.isLoading {
        session.lastUse = service.uptime
      } else {
        session.apply { $0.timeOut() }
      }
    }
  }

  private func armOblivion() {
    guard oblivion == nil, let first = ended.first else { return }
    let due = first.since + Self.afterlife
    oblivion = service.schedule(after: max(.zero, due - service.uptime)) { [unowned self] in
      oblivion = nil
      let last = service.uptime - Self.afterlife
      while let first = ended.first, first.since <= last { forgetOldest() }
      armOblivion()
    }
  }

  // MARK: Bytes

  /// Refuses bytes for which all sessions together, or those of a sandbox, have no room.
  func checkRoom(for bytes: Int, of sandbox: String?) throws(DBusError) {
    guard bytes != 0 else { return }
    let most = service.limits.maxBytes
    guard byteCount + bytes <= most else { throw .limit("max-bytes", most) }
    guard let sandbox else { return }
    let used = active.reduce(0) { $1.sandbox == sandbox ? $0 + $1.session.byteCount : $0 }
    guard used + bytes <= Quota.share(of: most) else {
      throw .limit("a sandbox's share of max-bytes", Quota.share(of: most))
    }
  }

  /// Whether there is room for so many bytes more.
  func hasRoom(for bytes: Int, of sandbox: String?) -> Bool {
    (try? checkRoom(for: bytes, of: sandbox)) != nil
  }

  /// The number of rows that are dragged, from one sandbox or by all.
  func draggedRowCount(of sandbox: String? = nil) -> Int {
    active.reduce(0) { sandbox == nil || $1.sandbox == sandbox ? $0 + $1.rowCount : $0 }
  }

  /// Counts bytes that a session has taken on or let go.
  func countBytes(_ difference: Int) { byteCount += difference }

  // MARK: Contents of rows

  /// Reads what sessions need of rows that are about to change or go.
  func preserveContents(of rows: [RowID]) throws(RepositoryError) {
    guard !rows.isEmpty else { return }
    let dragged = active.filter { $0.session.origin != nil }
    guard !dragged.isEmpty else { return }
    let rows = Set(rows)
    for session in dragged {
      for content in session.rowContents where rows.contains(content.row) {
        try content.preserve()
      }
    }
  }

  /// Reads what sessions need of a board's rows before it goes.
  func preserveContents(ofRowsOf board: BoardObject) throws(RepositoryError) {
    for session in active where session.session.origin?.board == board.key {
      for content in session.rowContents { try content.preserve() }
    }
  }
}
