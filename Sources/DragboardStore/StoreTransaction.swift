internal import SQLite

/// The database of a store and its open transaction, used by all reads and writes of the store.
///
/// The first write opens the transaction. After a failed write, every later write fails with the
/// same error, until the transaction is rolled back.
final class StoreTransaction {
  let database: Database

  /// Whether anything was written since the database was opened.
  private(set) var hasWritten = false
  /// The number of rollbacks.
  private(set) var rollbacks = 0
  /// Whether the log of an earlier process may have pages that are only in the page cache.
  var isLogUnverified = false
  /// A function that is called once when damage is found.
  var onDamage: (String) -> Void = { _ in }

  private let directory: String
  private let begin, beginReading, end, revert: Statement
  private var isDamageNoted = false
  private var state = State.none
  /// Whether ``reading(_:)`` has begun a transaction of SQLite for reads.
  private var isReading = false

  /// The state of the writes since the last commit.
  private enum State {
    case none
    case open
    case spoilt(StoreError)
  }

  /// Creates a transaction without writes.
  ///
  /// A note of damage is written to `directory`.
  init(_ database: Database, in directory: String) {
    self.database = database
    self.directory = directory
    begin = Statement(database, "BEGIN IMMEDIATE")
    beginReading = Statement(database, "BEGIN")
    end = Statement(database, "COMMIT")
    revert = Statement(database, "ROLLBACK")
  }

  /// Whether there are writes that a crash would roll back.
  var isOpen: Bool {
    switch state {
    case .none: false
    case .open, .spoilt: true
    }
  }

  /// Throws the error of an earlier write if one has failed.
  func check() throws(StoreError) {
    if case .spoilt(let error) = state { throw error }
  }

  /// Commits.
  ///
  /// If this fails, the caller must roll back.
  func commit() throws(StoreError) {
    try read { () throws(SQLiteError) in try end.run() }
    state = .none
  }

  func rollback() {
    state = .none
    rollbacks += 1
    // An error only means that SQLite has already rolled back, after a severe error.
    try? revert.run()
  }

  /// Writes in the transaction, which it opens if necessary.
  func write<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    if case .spoilt(let error) = state { throw error }
    do throws(SQLiteError) {
      if case .none = state {
        endReading()
        try emptyUnverifiedLog()
        try begin.run()
        (state, hasWritten) = (.open, true)
      }
      return try body()
    } catch {
      let failure = noted(StoreError(error))
      if case .open = state { state = .spoilt(failure) }
      throw failure
    }
  }

  /// Empties the log of an earlier process, once.
  ///
  /// The earlier process may have failed to sync its last pages. These pages look normal, because
  /// they are read from the page cache, but a power cut would destroy them and all pages after
  /// them. So this process appends nothing to such a log.
  private func emptyUnverifiedLog() throws(SQLiteError) {
    guard isLogUnverified else { return }
    try database.emptyLog()
    isLogUnverified = false
  }

  /// Performs `body`, whose reads need SQLite's locks and the end of the log only once.
  ///
  /// Without it, SQLite looks for both before each read. A write in `body` ends this, because the
  /// transaction of the write is another one. `body` should be short: SQLite does not empty the log
  /// meanwhile.
  func reading<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // If SQLite refuses this, each read has a transaction of its own, and reports the error.
    guard !isOpen, !isReading, (try? beginReading.run()) != nil else { return try body() }
    isReading = true
    defer { endReading() }
    return try body()
  }

  /// Ends the transaction of ``reading(_:)``, if SQLite has not ended it after an error.
  private func endReading() {
    guard isReading else { return }
    isReading = false
    if database.isInTransaction { try? end.run() }
  }

  /// Performs reads, and translates errors.
  func read<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    do throws(SQLiteError) { return try body() } catch {
      let failure = noted(StoreError(error))
      // SQLite ends a transaction after some errors. A later write would be committed without the
      // earlier writes, so it must fail.
      if case .open = state, !database.isInTransaction { state = .spoilt(failure) }
      throw failure
    }
  }

  /// If the error is damage, writes a note for the next opening.
  ///
  /// - Returns: the error.
  func noted(_ error: StoreError) -> StoreError {
    guard case .damaged(let damage) = error, !isDamageNoted else { return error }
    isDamageNoted = true
    DamageNote.leave(damage, in: directory)
    onDamage(damage)
    return error
  }
}
