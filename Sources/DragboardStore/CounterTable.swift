internal import BoardModel
internal import SQLite

/// The counters and the salt of the database.
package final class CounterTable {
  /// A counter.
  ///
  /// The raw value is its number in the database.
  ///
  /// Number 5 is not used, because earlier releases may have left such a counter.
  package enum Counter: Int64 {
    case rows = 1
    case sessions = 2
    /// The first row that is not in the full-text index.
    ///
    /// All rows with lower numbers are in the index.
    case indexEnd = 3
    case views = 4
    /// 1 if the index may contain words of deleted rows.
    case traces = 6
  }

  /// 16 random bytes that distinguish this database from every other one.
  let salt: [UInt8]

  private let transaction: StoreTransaction
  private let value, save: Statement
  private var rows, sessions, views: NumberSupply

  /// Reads the salt and the first unreserved numbers.
  init(_ transaction: StoreTransaction) throws(StoreError) {
    let database = transaction.database
    self.transaction = transaction
    value = Statement(database, "SELECT next FROM counter WHERE id = ?")
    save = Statement(database, "REPLACE INTO counter(id, next) VALUES (?, ?)")
    let salt: [UInt8]?
    do throws(SQLiteError) {
      salt = try Statement(database, "SELECT salt FROM identity").first { Array($0.bytes(0)) }
      rows = try Self.supply(.rows, value)
      sessions = try Self.supply(.sessions, value)
      views = try Self.supply(.views, value)
    } catch {
      throw StoreError(error)
    }
    guard let salt, salt.count == 16 else {
      throw .damaged("table identity has no salt for the ids")
    }
    self.salt = salt
    guard rows.isPlausible, sessions.isPlausible, views.isPlausible else {
      throw .damaged("a counter of rows, sessions or views is out of range")
    }
  }

  private static func supply(
    _ counter: Counter, _ value: Statement
  ) throws(SQLiteError) -> NumberSupply {
    let next = try value.first(counter.rawValue) { $0.integer(0) } ?? 1
    return NumberSupply(counter, next: UInt64(max(1, next)))
  }

  /// Returns the value of a counter; 0 if it was never set.
  func value(of counter: Counter) throws(StoreError) -> Int64 {
    do throws(SQLiteError) {
      return try value.first(counter.rawValue) { $0.integer(0) } ?? 0
    } catch { throw StoreError(error) }
  }

  /// Sets a counter, as part of a write.
  func set(_ counter: Counter, to value: Int64) throws(SQLiteError) {
    try save.run(counter.rawValue, value)
  }

  // MARK: Numbers

  /// Takes consecutive numbers for new rows.
  ///
  /// About one call in a thousand writes to the database.
  func takeRows(_ count: Int) throws(StoreError) -> [RowID] {
    try take(UInt64(max(0, count)), spare: NumberSupply.chunk, from: &rows).map { RowID($0) }
  }

  /// Takes numbers for the next thousand sessions.
  func takeSessions() throws(StoreError) -> Range<UInt64> {
    try take(NumberSupply.chunk, from: &sessions)
  }

  /// Takes numbers for the next thousand views.
  func takeViews() throws(StoreError) -> Range<UInt64> {
    try take(NumberSupply.chunk, from: &views)
  }

  private func take(
    _ count: UInt64, spare: UInt64 = 0, from supply: inout NumberSupply
  ) throws(StoreError) -> Range<UInt64> {
    if let numbers = supply.take(count) { return numbers }
    let end = supply.next + count + spare
    let counter = supply.counter
    try transaction.write { () throws(SQLiteError) in try set(counter, to: Int64(end)) }
    return supply.take(count, havingReservedUpTo: end)
  }

  func didCommit() {
    rows.didCommit()
    sessions.didCommit()
    views.didCommit()
  }

  func didRollBack() {
    rows.didRollBack()
    sessions.didRollBack()
    views.didRollBack()
  }
}
