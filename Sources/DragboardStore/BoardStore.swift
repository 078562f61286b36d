package import BoardModel
internal import Files

/// The boards of one data directory, in SQLite, of which this is the only owner; large contents are in
/// files beside it.
///
/// Writes gather in one transaction: the first one opens it, `commit()` makes all of them durable at
/// once, `rollback()` rolls all of them back. Reads see what was written and not committed. A write that
/// fails spoils the transaction: every later one fails likewise, until it is rolled back.
///
/// Each table has a type that owns its statements; this one owns the transaction, and does whatever
/// touches several tables. Used from one thread at a time.
public final class BoardStore {
  /// The recovery that the opening took; nil if the database was sound.
  public let recovery: RecoveryReport?

  let tables: StoreTables
  private var transaction: StoreTransaction { tables.transaction }

  /// Opens the store in a directory, and makes both if they are missing; takes them over from a process
  /// that was killed, with all that it had committed.
  ///
  /// - Parameters:
  ///   - directory: the data directory.
  ///   - timeout: how long to wait for another owner; one that is leaving is waited for anyway.
  ///   - report: gets events for a log, on any thread.
  /// - Throws: `StoreError`, `damaged` if the database is damaged; it is left as it is.
  public convenience init(
    directory: String, timeout: Duration = .zero,
    report: @escaping @Sendable (StoreEvent) -> Void = { _ in }
  ) throws(StoreError) {
    let lock = try DataDirectory(path: directory).take(timeout: timeout, report)
    _ = try OpenDatabase.touch(in: directory)
    try self.init(directory: directory, holding: lock, report: report)
  }

  /// Opens the store in a directory that is locked and has a database, perhaps after a recovery.
  package init(
    directory: String, holding lock: StoreLock, after recovery: RecoveryReport? = nil,
    report: @escaping @Sendable (StoreEvent) -> Void
  ) throws(StoreError) {
    let losses = LostContents(in: directory, report: report)
    let folder = ContentDirectory(path: directory + "/" + DataFiles.contents, losses: losses)
    tables = try OpenDatabase.open(in: directory, holding: lock) {
      transaction throws(StoreError) in
      try StoreTables(transaction, folder, report)
    }
    self.recovery = recovery
    losses.reset()
  }

  package var salt: [UInt8] { tables.counters.salt }

  package var contents: ContentDirectory { tables.files.folder }

  /// Called, once, when the database turns out to be damaged: it is recovered when it is opened next.
  public var onDamage: (String) -> Void {
    get { transaction.onDamage }
    set { transaction.onDamage = newValue }
  }

  /// Empties the log, so that the next opening has nothing to do; called when nothing is written any
  /// more.
  ///
  /// If the disk refuses, the next opening does it.
  public func conclude() { try? transaction.database.emptyLog() }

  /// Notes that this owner is leaving, so that the next one waits for it; or that it is not after all.
  public func noteLeaving(_ isLeaving: Bool) { transaction.database.lock.noteLeaving(isLeaving) }

  package func noteMissing(_ row: RowID) {
    _ = transaction.noted(.damaged("row \(row.rawValue) is on a board and holds nothing"))
  }
}

// MARK: Transactions

extension BoardStore {
  /// Whether something was written that a crash would roll back.
  public var hasUncommittedWrites: Bool { transaction.isOpen }

  package func commit() throws(StoreError) {
    guard transaction.isOpen else { return }
    do throws(StoreError) {
      try transaction.check()
      try tables.files.syncNames()
      try transaction.commit()
    } catch {
      rollback()
      throw error
    }
    tables.counters.didCommit()
    tables.words.didCommit()
    tables.files.didCommit()
  }

  package func rollback() {
    guard transaction.isOpen else { return }
    transaction.rollback()
    tables.counters.didRollBack()
    tables.words.didRollBack()
    tables.files.didRollBack()
    tables.traces.didRollBack()
  }
}

// MARK: Boards

extension BoardStore {
  package func boards() throws(StoreError) -> [BoardRecord] { try tables.boards.records() }

  package func board(_ id: BoardID) throws(StoreError) -> Board { try tables.boards.board(id) }

  package func createBoard(_ header: BoardHeader) throws(StoreError) -> BoardID {
    try tables.boards.insert(header)
  }

  package func update(_ header: BoardHeader, of board: BoardID) throws(StoreError) {
    try tables.boards.change(board, to: header)
  }

  package func deleteBoard(_ board: BoardID) throws(StoreError) {
    try discard(try tables.history.neededRows(of: board))
    try tables.history.delete(board)
    try tables.boards.delete(board)
  }

  package func save(
    _ changes: UnsavedChanges, revision: UInt64, of board: BoardID
  ) throws(StoreError) {
    try tables.boards.save(changes, revision: revision, of: board)
  }
}

// MARK: History

extension BoardStore {
  package func log(
    _ changes: [UInt8], _ revisions: ClosedRange<UInt64>, rowCount: Int? = nil, of board: BoardID
  ) throws(StoreError) {
    try tables.history.log(changes, revisions, rowCount: rowCount, of: board)
  }

  package func loggedChanges(
    after revision: UInt64, of board: BoardID, limit: Int = .max
  ) throws(StoreError) -> [[UInt8]]? {
    try tables.history.loggedChanges(after: revision, of: board, limit: limit)
  }

  package func firstLoggedRevision(of board: BoardID) throws(StoreError) -> UInt64? {
    try tables.history.firstLoggedRevision(of: board)
  }

  package func forgetLog(upTo revision: UInt64, of board: BoardID) throws(StoreError) {
    try tables.history.forgetLog(upTo: revision, of: board)
  }

  package func steps(of board: BoardID) throws(StoreError) -> [StepInfo] {
    try tables.history.steps(of: board)
  }

  package func operations(
    ofStep number: UInt64, of board: BoardID
  ) throws(StoreError) -> (operations: [UInt8], kept: [RowID])? {
    try tables.history.operations(ofStep: number, of: board)
  }

  package func save(
    _ step: StepInfo, _ operations: [UInt8], keeping kept: [RowID], of board: BoardID
  ) throws(StoreError) {
    try tables.history.save(step, operations, keeping: kept, of: board)
  }

  package func deleteSteps(
    _ numbers: ClosedRange<UInt64>, of board: BoardID
  ) throws(StoreError) {
    try tables.history.deleteSteps(numbers, of: board)
  }
}

// MARK: Numbers

extension BoardStore {
  package func reserveRows(_ count: Int) throws(StoreError) -> [RowID] {
    try tables.counters.takeRows(count)
  }

  package func reserveSessionNumbers() throws(StoreError) -> Range<UInt64> {
    try tables.counters.takeSessions()
  }

  package func reserveViewNumbers() throws(StoreError) -> Range<UInt64> {
    try tables.counters.takeViews()
  }
}
