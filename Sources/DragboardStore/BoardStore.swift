public import BoardModel

/// The boards of one folder, in SQLite, of which this is the only owner; large contents are in files beside it.
///
/// Writes gather in one transaction: the first one opens it, `commit()` makes all of them durable at once,
/// `rollback()` takes all of them back. Reads see what has been written and not committed. A write that fails
/// spoils the transaction: every later one fails likewise, until it is rolled back.
///
/// Used from one thread at a time.
public final class BoardStore {
  /// Sixteen random bytes that tell this store from every other one, for good.
  public let salt: [UInt8]

  /// The contents that are too large for the database; used from any thread.
  public let contents: ContentFolder

  /// What has become of a database that was found damaged when the store was opened; nil where none was.
  public let recovery: RecoveryReport?

  /// Called, once, when the database turns out to be damaged: what can be read of it is recovered when the store is opened next.
  public var onDamage: (String) -> Void = { _ in }

  let directory: String
  let report: @Sendable (StoreEvent) -> Void
  let database: Database
  let statements: Statements
  /// What `boards()` gives as long as nothing has been written.
  var boardsAtOpening: [BoardRecord]?
  private var isDamageNoted = false
  private var isLogDoubtful: Bool
  private var transaction = Transaction.none
  var rowNumbers: NumberSupply
  var sessionNumbers: NumberSupply
  var viewNumbers: NumberSupply
  /// Rows with a lower number are in the index of words.
  var indexEnd: UInt64
  private var committedIndexEnd: UInt64
  /// Pages of rows that are being given what they hold: not to be purged, though no board has them yet.
  var stagedPages: Set<Int64> = []
  /// How often something has been rolled back.
  private(set) var rollbacks = 0
  var ledger = ContentLedger()
  var sweep = ContentSweep()
  var indexCheck = ContentIndexCheck()
  var traces = Traces()

  /// What has been written since the last commit.
  private enum Transaction {
    case none
    case open
    case spoilt(StoreError)
  }

  /// Opens the store in that folder, and makes both where they are missing; takes them over from a process
  /// that was killed, with all that it had committed.
  ///
  /// A database that is damaged is set aside, and what can be read of it recovered: ``recovery`` tells. One from a later release, or of
  /// somebody else's, is refused and left as it is.
  ///
  /// - Parameters:
  ///   - directory: the folder.
  ///   - patience: how long another owner is waited for; one that is leaving is waited for anyway.
  ///   - report: gets what a log should say, on any thread.
  /// - Throws: `StoreError`.
  public init(
    directory: String, patience: Duration = .zero,
    report: @escaping @Sendable (StoreEvent) -> Void = { _ in }
  ) throws(StoreError) {
    try Folder.make(directory, for: OpenDatabase.name)
    let lock = try StoreLock(directory: directory, patience: patience)
    let files = DataDirectory(path: directory)
    try files.check()
    files.narrow(report)
    let (opened, recovery) = try Self.open(directory, lock)
    self.directory = directory
    self.report = report
    self.recovery = recovery
    database = opened.database
    statements = opened.statements
    contents = ContentFolder(
      path: directory + "/" + DataDirectory.contents,
      losses: LostContents(in: directory, report: report))
    salt = opened.salt
    (rowNumbers, sessionNumbers) = (opened.rowNumbers, opened.sessionNumbers)
    viewNumbers = opened.viewNumbers
    indexEnd = opened.indexEnd
    committedIndexEnd = indexEnd
    boardsAtOpening = opened.boards
    (traces.hasWords, traces.areWordsNoted) = (opened.hasTraces, opened.hasTraces)
    isLogDoubtful = opened.isLogDoubtful
  }

  /// Leaves the next opening nothing to do; called when nothing is written any more.
  ///
  /// Where the disk refuses, the next opening does it.
  public func conclude() { try? database.emptyLog() }

  /// Says that this owner is leaving, so that the next one waits for it; or that it is not after all.
  public func noteLeaving(_ isLeaving: Bool) { database.lock.noteLeaving(isLeaving) }

  private static func open(
    _ directory: String, _ lock: StoreLock
  ) throws(StoreError) -> (OpenDatabase, RecoveryReport?) {
    let recovery = Recovery(in: directory, holding: lock)
    try recovery.resume()
    let damage: String
    let note = try DamageNote.read(in: directory)
    // Without data a note says nothing: there is nothing to recover.
    let isNew = try OpenDatabase.touch(in: directory)
    if isNew { DamageNote.remove(in: directory) }
    if let note, !isNew {
      damage = note
    } else {
      do throws(StoreError) {
        return (try OpenDatabase(in: directory, holding: lock), nil)
      } catch {
        guard case .damaged(let what) = error else { throw error }
        damage = what
      }
    }
    let report = try recovery.run(because: damage)
    return (try OpenDatabase(in: directory, holding: lock), report)
  }
}

// MARK: Transactions

extension BoardStore {
  /// Whether something has been written that a crash would take back.
  public var hasUncommittedWrites: Bool {
    switch transaction {
    case .none: false
    case .open, .spoilt: true
    }
  }

  /// Makes durable what has been written: when it returns, neither a crash nor a power cut takes it back.
  ///
  /// If it fails, all of it is taken back for this process. If only the sync failed, a crash may bring
  /// the transaction back, as a whole, as long as no later one is committed.
  public func commit() throws(StoreError) {
    switch transaction {
    case .none:
      return
    case .spoilt(let error):
      rollback()
      throw error
    case .open:
      do throws(StoreError) {
        try syncContents()
        try read { () throws(SQLiteError) in try statements.commit.run() }
      } catch {
        rollback()
        throw error
      }
      transaction = .none
      rowNumbers.didCommit()
      sessionNumbers.didCommit()
      viewNumbers.didCommit()
      committedIndexEnd = indexEnd
      ledger.didCommit()
      indexCheck.didCommit()
    }
  }

  /// Takes back what has been written since the last commit.
  public func rollback() {
    guard hasUncommittedWrites else { return }
    transaction = .none
    rollbacks += 1
    rowNumbers.didRollBack()
    sessionNumbers.didRollBack()
    viewNumbers.didRollBack()
    ledger.didRollBack()
    indexCheck.didRollBack()
    traces.didRollBack()
    indexEnd = committedIndexEnd
    // It fails where SQLite has rolled back by itself, after an error that left it no choice.
    try? statements.rollback.run()
  }

  /// Writes within the transaction, which it opens where there is none.
  func write<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    if case .spoilt(let error) = transaction { throw error }
    do throws(SQLiteError) {
      if case .none = transaction {
        try emptyDoubtfulLog()
        try statements.begin.run()
        transaction = .open
        boardsAtOpening = nil
      }
      return try body()
    } catch {
      let failure = noted(StoreError(error))
      if case .open = transaction { transaction = .spoilt(failure) }
      throw failure
    }
  }

  /// Sees to it that the log begins with nothing that the disk may not have: whatever follows that would be lost with it.
  ///
  /// What a process has written and could not sync is read from the page cache by the next one, which cannot tell. So nothing is appended
  /// to a log that another process has left; it is brought into the database, once.
  private func emptyDoubtfulLog() throws(SQLiteError) {
    guard isLogDoubtful else { return }
    try database.emptyLog()
    isLogDoubtful = false
  }

  /// Reads, and says in the store's own terms what went wrong.
  func read<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    do throws(SQLiteError) { return try body() } catch {
      let failure = noted(StoreError(error))
      // What is written next would be committed by itself.
      if case .open = transaction, !database.isInTransaction { transaction = .spoilt(failure) }
      throw failure
    }
  }

  /// Notes that a row of a board holds nothing, which only damage can be.
  public func noteMissing(_ row: RowID) {
    _ = noted(.damaged("row \(row.rawValue) is on a board and holds nothing"))
  }

  /// Leaves a note of damage for the next opening, and gives the error as it is.
  func noted(_ error: StoreError) -> StoreError {
    guard case .damaged(let what) = error, !isDamageNoted else { return error }
    isDamageNoted = true
    DamageNote.leave(what, in: directory)
    onDamage(what)
    return error
  }
}
