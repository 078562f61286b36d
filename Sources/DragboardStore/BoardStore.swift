package import BoardModel
internal import Files

/// The boards of one data directory.
///
/// The boards are in an SQLite database, and large contents are in files.
///
/// A store is the only owner of its directory. All writes belong to one transaction. The first
/// write opens the transaction; `commit()` makes all writes durable at once, and `rollback()` rolls
/// all of them back. Reads see uncommitted writes. After a failed write, every later write fails
/// with the same error, until the transaction is rolled back.
///
/// Each table has a type that owns its statements. The store owns the transaction, and performs the
/// operations that affect several tables. Use it from one thread at a time.
public final class BoardStore {
  /// The result of the recovery during the opening; nil if the database was not damaged.
  public let recovery: RecoveryReport?

  let tables: StoreTables
  private var transaction: StoreTransaction { tables.transaction }

  /// Opens the store in a directory, and creates both if they are missing.
  ///
  /// If an earlier process was killed, the store has all data that this process had committed.
  ///
  /// - Parameters:
  ///   - directory: the data directory.
  ///   - timeout: the time to wait for another owner of the directory. The store always waits for
  ///     an owner that is about to exit.
  ///   - report: receives events for a log, on any thread.
  /// - Throws: `StoreError`. If it is `damaged`, the database has not changed.
  public convenience init(
    directory: String, timeout: Duration = .zero,
    report: @escaping @Sendable (StoreEvent) -> Void = { _ in }
  ) throws(StoreError) {
    let lock = try DataDirectory(path: directory).take(timeout: timeout, report)
    _ = try OpenDatabase.touch(in: directory)
    try self.init(directory: directory, holding: lock, report: report)
  }

  /// Opens the store in a locked directory.
  ///
  /// The directory must have a database, which may be recovered.
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
    // Without space on the disk, the next opening tries again.
    do throws(StoreError) { try renewDigests() } catch { rollback() }
  }

  package var salt: [UInt8] { tables.counters.salt }

  package var contents: ContentDirectory { tables.files.folder }

  /// A function that is called once when damage is found.
  ///
  /// The next opening recovers the database.
  public var onDamage: (String) -> Void {
    get { transaction.onDamage }
    set { transaction.onDamage = newValue }
  }

  /// Empties the log, so that the next opening is fast.
  ///
  /// Call it after the last write. If the disk refuses this, the next opening empties the log.
  public func conclude() { try? transaction.database.emptyLog() }

  /// Closes the database, and releases the directory for other processes.
  ///
  /// Do not use the store afterwards. A process that is about to exit must call it, because a
  /// thread that hangs in a read of a client's file keeps the locks of the process.
  public func close() { transaction.database.close() }

  /// Records whether this process is about to exit.
  ///
  /// If so, the next process that opens the store waits.
  public func noteLeaving(_ isLeaving: Bool) { transaction.database.lock.noteLeaving(isLeaving) }

  package func noteMissing(_ row: RowID) {
    _ = transaction.noted(.damaged("row \(row.rawValue) is on a board and has no content"))
  }
}

// MARK: Transactions

extension BoardStore {
  /// Whether there are writes that a crash would roll back.
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

  package func deleteBoard(_ board: DeletedBoard) throws(StoreError) {
    try tables.boards.delete(board)
  }

  package func deletedBoards() throws(StoreError) -> [DeletedBoard] {
    try tables.boards.deletedBoards()
  }

  package func restoreBoard(_ board: BoardID, at pathElement: String) throws(StoreError) {
    try tables.boards.restore(board, at: pathElement)
  }

  package func purgeBoard(_ board: BoardID) throws(StoreError) {
    try discard(try tables.history.neededRows(of: board))
    try tables.history.delete(board)
    try tables.boards.purge(board)
  }

  package func save(_ changes: BoardChanges, of board: BoardID) throws(StoreError) -> [RowID] {
    try tables.boards.save(changes.rows, revision: changes.revision, of: board)
    let unneeded = try tables.history.save(
      changes.history, rowCount: changes.rowCount, of: board)
    if !unneeded.isEmpty { try discard(unneeded) }
    return unneeded
  }
}

// MARK: History

extension BoardStore {
  package var history: HistoryTable { tables.history }

  package func loggedChanges(
    after revision: UInt64, of board: BoardID, limit: Int = .max
  ) throws(StoreError) -> [[UInt8]]? {
    try tables.history.loggedChanges(after: revision, of: board, limit: limit)
  }

  package func firstLoggedRevision(of board: BoardID) throws(StoreError) -> UInt64? {
    try tables.history.firstLoggedRevision(of: board)
  }

  package func steps(of board: BoardID) throws(StoreError) -> [StepInfo] {
    try tables.history.steps(of: board)
  }

  package func operations(
    ofStep number: UInt64, of board: BoardID
  ) throws(StoreError) -> (operations: [UInt8], kept: [RowID])? {
    try tables.history.operations(ofStep: number, of: board)
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
