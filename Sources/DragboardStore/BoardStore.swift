internal import CSQLite

/// The boards of one folder, in SQLite, of which this is the only owner.
///
/// Writes gather in one transaction: the first one opens it, `commit()` makes all of them durable at once,
/// `rollback()` takes all of them back. Reads see what has been written and not committed. A write that fails
/// spoils the transaction: every later one fails likewise, until it is rolled back.
///
/// Used from one thread at a time.
public final class BoardStore {
  /// Sixteen random bytes that tell this store from every other one, for good.
  public let salt: [UInt8]

  let database: Database
  let statements: Statements
  private var transaction = Transaction.none
  var rowNumbers: NumberSupply
  var sessionNumbers: NumberSupply

  /// What has been written since the last commit.
  private enum Transaction {
    case none
    case open
    case spoilt(StoreError)
  }

  /// Opens the store in that folder, and makes both where they are missing; takes them over from a process
  /// that was killed, with all that it had committed.
  ///
  /// What is damaged or from a later release is refused and left as it is.
  public init(directory: String) throws(StoreError) {
    try Folder.make(directory)
    let lock = try StoreLock(directory: directory)
    let path = directory + "/boards.db"
    try Folder.touch(path)
    do throws(SQLiteError) {
      database = try Database(path: path, holding: lock)
    } catch {
      throw StoreError(error)
    }
    statements = Statements(database)
    do throws(StoreError) {
      try database.prepareForBoards()
      (salt, rowNumbers, sessionNumbers) = try Self.identity(statements)
    } catch {
      database.leaveLogOnClose()
      throw error
    }
  }

  private static func identity(
    _ statements: Statements
  ) throws(StoreError) -> ([UInt8], NumberSupply, NumberSupply) {
    let salt: [UInt8]?
    let rows, sessions: NumberSupply
    do throws(SQLiteError) {
      salt = try statements.salt.first { Array($0.bytes(0)) }
      rows = try statements.supply(.rows)
      sessions = try statements.supply(.sessions)
    } catch {
      throw StoreError(error)
    }
    guard let salt, salt.count == 16 else { throw .damaged("the salt is missing") }
    return (salt, rows, sessions)
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
  /// Where it fails, all of it is taken back.
  public func commit() throws(StoreError) {
    switch transaction {
    case .none:
      return
    case .spoilt(let error):
      rollback()
      throw error
    case .open:
      do throws(SQLiteError) {
        try statements.commit.run()
        transaction = .none
        rowNumbers.didCommit()
        sessionNumbers.didCommit()
      } catch {
        rollback()
        throw StoreError(error)
      }
    }
  }

  /// Takes back what has been written since the last commit.
  public func rollback() {
    guard hasUncommittedWrites else { return }
    transaction = .none
    rowNumbers.didRollBack()
    sessionNumbers.didRollBack()
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
        try statements.begin.run()
        transaction = .open
      }
      return try body()
    } catch {
      let failure = StoreError(error)
      if case .open = transaction { transaction = .spoilt(failure) }
      throw failure
    }
  }

  /// Reads, and says in the store's own terms what went wrong.
  func read<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    do throws(SQLiteError) { return try body() } catch { throw StoreError(error) }
  }
}

extension Database {
  /// Checks whose file it is, sets how it is written, and brings it to this release's version.
  ///
  /// Exclusive locking spares every transaction six system calls: `StoreLock` has seen to it that nobody else
  /// comes. FULL with a write-ahead log syncs once for every commit.
  fileprivate func prepareForBoards() throws(StoreError) {
    do throws(SQLiteError) {
      try execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA trusted_schema = OFF")
    } catch {
      throw StoreError(error)
    }
    try checkVersion()
    do throws(SQLiteError) {
      try execute(
        """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;
        PRAGMA secure_delete = FAST; PRAGMA journal_size_limit = 4194304;
        """)
      try migrate()
    } catch {
      throw StoreError(error)
    }
  }
}
