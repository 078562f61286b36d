internal import BoardModel
internal import SQLite

/// The ages of rows.
///
/// The age of a row is its number, or the number of its latest renewal by a duplicate. The table is that
/// of the contents.
final class RowAgeTable {
  private let transaction: StoreTransaction
  private let setAge, renewedRows, latestRenewals, renewalOf: Statement

  init(_ transaction: StoreTransaction) {
    self.transaction = transaction
    func statement(_ sql: String) -> Statement { Statement(transaction.database, sql) }
    setAge = statement("UPDATE representation SET created = ?2, renewed = ?3 WHERE id = ?1")
    renewedRows = statement("SELECT id, renewed FROM representation WHERE renewed NOT NULL")
    latestRenewals = statement(
      """
      SELECT id, renewed FROM representation WHERE renewed NOT NULL AND renewed < ?
      ORDER BY renewed DESC LIMIT ?
      """)
    renewalOf = statement("SELECT renewed FROM representation WHERE id = ?")
  }

  /// Sets the age of a row, as part of a write.
  func setAge(of row: RowID, created: UInt64, renewal: UInt64?) throws(SQLiteError) {
    try setAge.run(
      RepresentationKey.of(row, at: 0), Int64(clamping: created),
      renewal.map { Int64(clamping: $0) })
  }

  /// Returns the renewed rows, each with the number that determines its age.
  func renewals() throws(StoreError) -> [RowID: UInt64] {
    var renewals: [RowID: UInt64] = [:]
    try transaction.read { () throws(SQLiteError) in
      try renewedRows.forEach {
        renewals[RowID(UInt64($0.integer(0) >> 8))] = UInt64(clamping: $0.integer(1))
      }
    }
    return renewals
  }

  /// Returns the number that determines the age of a row; nil if no duplicate has renewed the row.
  func renewal(of row: RowID) throws(StoreError) -> UInt64? {
    try transaction.read { () throws(SQLiteError) in
      try renewalOf.first(RepresentationKey.of(row, at: 0)) {
        $0.optionalInteger(0).map { UInt64(clamping: $0) }
      } ?? nil
    }
  }

  /// Returns renewed rows with an age below `end`, the newest first.
  func renewals(
    before end: UInt64, count: Int
  ) throws(StoreError) -> [(row: RowID, age: UInt64)] {
    var rows: [(row: RowID, age: UInt64)] = []
    try transaction.read { () throws(SQLiteError) in
      try latestRenewals.forEach(Int64(clamping: end), Int64(count)) {
        rows.append((RowID(UInt64($0.integer(0) >> 8)), UInt64(clamping: $0.integer(1))))
      }
    }
    return rows
  }
}
