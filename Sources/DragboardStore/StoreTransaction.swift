/// The database of a store and its open transaction, which everything in the store reads and writes by.
///
/// The first write opens the transaction. A write that fails spoils it: every later one fails likewise,
/// until it is rolled back.
final class StoreTransaction {
  let database: Database

  /// Whether anything was written since the database was opened.
  private(set) var hasWritten = false
  /// How often something was rolled back.
  private(set) var rollbacks = 0
  /// Whether the log may have pages that the disk does not have.
  var isLogUnverified = false
  /// Called, once, when the database turns out to be damaged.
  var onDamage: (String) -> Void = { _ in }

  private let directory: String
  private let begin, end, revert: Statement
  private var isDamageNoted = false
  private var state = State.none

  /// What was written since the last commit.
  private enum State {
    case none
    case open
    case spoilt(StoreError)
  }

  /// Nothing is written yet; `directory` gets a note of damage.
  init(_ database: Database, in directory: String) {
    self.database = database
    self.directory = directory
    begin = Statement(database, "BEGIN IMMEDIATE")
    end = Statement(database, "COMMIT")
    revert = Statement(database, "ROLLBACK")
  }

  /// Whether something was written that a crash would roll back.
  var isOpen: Bool {
    switch state {
    case .none: false
    case .open, .spoilt: true
    }
  }

  /// Fails if a write has failed.
  func check() throws(StoreError) {
    if case .spoilt(let error) = state { throw error }
  }

  /// Commits; nothing is rolled back if it fails.
  func commit() throws(StoreError) {
    try read { () throws(SQLiteError) in try end.run() }
    state = .none
  }

  func rollback() {
    state = .none
    rollbacks += 1
    // It fails if SQLite has rolled back by itself, after an error that left it no choice.
    try? revert.run()
  }

  /// Writes in the transaction, which it opens if there is none.
  func write<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    if case .spoilt(let error) = state { throw error }
    do throws(SQLiteError) {
      if case .none = state {
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

  /// Empties a log that an earlier process has left, once.
  ///
  /// What that process wrote and could not sync is read from the page cache by this one, which cannot
  /// see the difference. So nothing is appended to such a log: what follows would be lost with it.
  private func emptyUnverifiedLog() throws(SQLiteError) {
    guard isLogUnverified else { return }
    try database.emptyLog()
    isLogUnverified = false
  }

  /// Reads, and translates errors.
  func read<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    do throws(SQLiteError) { return try body() } catch {
      let failure = noted(StoreError(error))
      // A later write would be committed by itself.
      if case .open = state, !database.isInTransaction { state = .spoilt(failure) }
      throw failure
    }
  }

  /// Leaves a note of damage for the next opening.
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
