package import BoardModel
internal import Files
internal import SQLite

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
///
/// The class is not final, because tests have a subclass whose operations fail on request. A subclass
/// can override only operations in the class itself, and not those in extensions.
public class BoardStore {
  /// The result of the recovery during the opening; nil if the database was not damaged.
  public let recovery: RecoveryReport?

  /// The number of bytes that the open transaction has purged from the database.
  package internal(set) var purgedByteCount = 0

  let tables: StoreTables
  private let lock: StoreLock
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
    self.lock = lock
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

  /// 16 random bytes that never change.
  package var salt: [UInt8] { tables.counters.salt }

  /// The directory of large contents.
  ///
  /// It is thread-safe.
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
  public func noteLeaving(_ isLeaving: Bool) { lock.noteLeaving(isLeaving) }

  /// Records that a row on a board has no content, which is damage.
  package func noteMissing(_ row: RowID) {
    _ = transaction.noted(.damaged("row \(row.rawValue) is on a board and has no content"))
  }

  // MARK: Transactions

  /// Whether there are writes that a crash would roll back.
  public var hasUncommittedWrites: Bool { transaction.isOpen }

  /// Performs `body`, whose reads are faster than reads one by one.
  ///
  /// `body` should be short, because the log cannot be emptied meanwhile. It may write.
  package func reading<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try transaction.reading(body)
  }

  /// Makes all writes durable, so that neither a crash nor a power cut can roll them back.
  ///
  /// If the commit fails, all writes are rolled back in this process. If only the sync has failed,
  /// the writes may nevertheless be on the disk. In this case, a crash before the next commit
  /// brings the whole transaction back.
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
    purgedByteCount = 0
    tables.counters.didCommit()
    tables.words.didCommit()
    tables.files.didCommit()
  }

  /// Rolls back all writes since the last commit.
  package func rollback() {
    guard transaction.isOpen else { return }
    transaction.rollback()
    purgedByteCount = 0
    tables.counters.didRollBack()
    tables.words.didRollBack()
    tables.files.didRollBack()
    tables.traces.didRollBack()
  }

  // MARK: Boards

  /// Returns every board in use, in the order of creation.
  ///
  /// O(rows).
  package func boards() throws(StoreError) -> [BoardRecord] { try tables.boards.records() }

  /// Returns a board at its last saved revision.
  ///
  /// The board may be deleted.
  ///
  /// O(rows of the board).
  package func board(_ id: BoardNumber) throws(StoreError) -> Board { try tables.boards.board(id) }

  /// Creates an empty board; the first `save` adds its sections and rows.
  package func createBoard(_ header: BoardHeader) throws(StoreError) -> BoardNumber {
    let board = try tables.boards.insert(header)
    try tables.history.noteProcess(from: 1, of: board)
    return board
  }

  /// Stores a board's new name and settings; its path does not change.
  package func update(_ header: BoardHeader, of board: BoardNumber) throws(StoreError) {
    try tables.boards.change(board, to: header)
  }

  /// Marks a board as deleted.
  ///
  /// Its rows, contents and history stay until `purgeBoard`.
  package func deleteBoard(_ board: DeletedBoard) throws(StoreError) {
    try tables.boards.delete(board)
  }

  /// Returns the deleted boards, the latest first.
  package func deletedBoards() throws(StoreError) -> [DeletedBoard] {
    try tables.boards.deletedBoards()
  }

  /// Restores a deleted board.
  ///
  /// Its name and this path must be free.
  package func restoreBoard(_ board: BoardNumber, at pathElement: String) throws(StoreError) {
    try tables.boards.restore(board, at: pathElement)
  }

  /// Permanently deletes a board with its rows and its history.
  ///
  /// `purge` deletes the contents later.
  package func purgeBoard(_ board: BoardNumber) throws(StoreError) {
    try discard(try tables.history.neededRows(of: board))
    try tables.history.delete(board)
    try tables.boards.purge(board)
  }

  /// Stores the changes of a board and its history.
  ///
  /// It is called at the end of a batch of edits.
  ///
  /// The board's number of rows is logged. If the number differs at the next opening, the database
  /// is treated as damaged. O(changes).
  ///
  /// - Returns: the rows whose contents are discarded, because no board has the rows and no undo
  ///   restores them. `purge` deletes the contents.
  /// - Throws: `StoreError`.
  package func save(_ changes: UnsavedBoard, of board: BoardNumber) throws(StoreError) -> [RowID] {
    try tables.boards.save(changes.rows, revision: changes.revision, of: board)
    let unneeded = try tables.history.save(
      changes.history, rowCount: changes.rowCount, of: board)
    if !unneeded.isEmpty { try discard(unneeded) }
    return unneeded
  }

  // MARK: Rows

  /// Stores the content of a row that has none.
  ///
  /// The row itself is saved with its board. Payloads of more than ``Payload/inlineLimit`` bytes
  /// are stored in files. A payload that is already in a synced file is not copied: only the id of
  /// the file is written. If a file cannot be written, the content is refused, and the transaction
  /// can continue.
  package func put(_ content: RowContent, of row: RowID) throws(StoreError) {
    try tables.rows.check(content)
    let content = try tables.files.settle(content)
    try tables.transaction.write { () throws(SQLiteError) in
      try tables.rows.insert(content, of: row)
    }
    try tables.words.indexContent(of: row)
  }

  /// Reserves new rows whose contents can be stored in several transactions, before a board has the
  /// rows.
  ///
  /// The contents are purged unless the rows are adopted.
  package func stageRows(_ count: Int) throws(StoreError) -> StagedRows {
    try StagedRows(try reserveRows(count), in: tables.discards)
  }

  /// Moves a content from one row to another row that has no content.
  package func moveItem(from source: RowID, to destination: RowID) throws(StoreError) {
    let (rows, words) = (tables.rows, tables.words)
    let isIndexed = words.includes(source) || words.includes(destination)
    let text = isIndexed ? try words.text(of: source) : nil
    try tables.transaction.write { () throws(SQLiteError) in
      try words.unindex(source, text)
      try rows.move(from: source, to: destination)
      try words.index(destination, text)
    }
  }

  // MARK: Maintenance

  /// The number of rows that each step deletes, in about a tenth of a millisecond.
  private static let purgeStep = 16

  /// Deletes some discarded contents and unneeded files.
  ///
  /// - Returns: whether more work remains.
  /// - Throws: `StoreError`.
  package func purge() throws(StoreError) -> Bool { try purgeDiscarded(limit: Self.purgeStep) }

  /// Erases some traces of deleted text, first from the full-text index, then from the log.
  ///
  /// The log is emptied only if there is no uncommitted write.
  ///
  /// - Returns: whether more traces remain, perhaps after a commit.
  /// - Throws: `StoreError`.
  package func eraseTraces() throws(StoreError) -> Bool {
    try tables.traces.erase()
    return hasTraces
  }

  /// The number of rows that each step indexes, which takes a few milliseconds.
  private static let indexStep = 256

  /// Adds the next rows to the full-text index.
  ///
  /// - Returns: whether more rows remain.
  /// - Throws: `StoreError`.
  package func indexSome() throws(StoreError) -> Bool { try indexSome(limit: Self.indexStep) }
}

// MARK: History

extension BoardStore {
  package var history: HistoryTable { tables.history }

  /// Returns the changes of all batches that ended after a revision, in order; nil if they exceed
  /// `limit` bytes.
  package func loggedChanges(
    after revision: UInt64, of board: BoardNumber, limit: Int = .max
  ) throws(StoreError) -> [[UInt8]]? {
    try tables.history.loggedChanges(after: revision, of: board, limit: limit)
  }

  /// Returns the revision after which every change is logged; nil if the log is empty.
  package func firstLoggedRevision(of board: BoardNumber) throws(StoreError) -> UInt64? {
    try tables.history.firstLoggedRevision(of: board)
  }

  /// The random number of this process.
  package var process: Int64 { tables.history.process }

  /// Returns the number of the process that made a stored revision; nil if it is unknown.
  package func process(
    of revision: UInt64, of board: BoardNumber
  ) throws(StoreError) -> Int64? {
    try tables.history.process(of: revision, of: board)
  }

  /// Returns the steps that undo or redo edits, in the order of their numbers.
  package func steps(of board: BoardNumber) throws(StoreError) -> [StepInfo] {
    try tables.history.steps(of: board)
  }

  /// Returns the operations of a step, in the board model's encoding, and the rows that retain
  /// contents for it; nil if there is no such step.
  package func operations(
    ofStep number: UInt64, of board: BoardNumber
  ) throws(StoreError) -> (operations: [UInt8], kept: [RowID])? {
    try tables.history.operations(ofStep: number, of: board)
  }
}

// MARK: Numbers

extension BoardStore {
  /// Reserves consecutive numbers for new rows, which no other row ever gets.
  ///
  /// About one call in a thousand writes to the database. So commit before you publish the numbers.
  package func reserveRows(_ count: Int) throws(StoreError) -> [RowID] {
    try tables.counters.takeRows(count)
  }

  /// Reserves numbers for the next thousand sessions.
  ///
  /// Commit before you use the numbers.
  package func reserveSessionNumbers() throws(StoreError) -> Range<UInt64> {
    try tables.counters.takeSessions()
  }

  /// Reserves numbers for the next thousand views.
  ///
  /// Commit before you use the numbers.
  package func reserveViewNumbers() throws(StoreError) -> Range<UInt64> {
    try tables.counters.takeViews()
  }
}
