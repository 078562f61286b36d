internal import BoardModel
internal import SQLite

/// The sizes of the contents of rows.
///
/// The table is that of the contents.
final class RowSizeTable {
  private let transaction: StoreTransaction
  private let byteCount, sourceSizes: Statement

  init(_ transaction: StoreTransaction) {
    self.transaction = transaction
    byteCount = Statement(
      transaction.database,
      """
      SELECT total(coalesce(file, length(data))) FROM representation WHERE id BETWEEN ? AND ?
      """)
    sourceSizes = Statement(
      transaction.database,
      """
      SELECT id, CASE WHEN created NOT NULL THEN coalesce(source, '') END,
        coalesce(file, length(data))
      FROM representation WHERE id > ? ORDER BY id LIMIT ?
      """)
  }

  /// Returns the total size of all representations of these rows, in bytes.
  func byteCount(of rows: [RowID]) throws(StoreError) -> Int {
    var total = 0
    try transaction.read { () throws(SQLiteError) in
      for row in rows {
        let (first, last) = RepresentationKey.range(of: row)
        total += try byteCount.first(first, last) { Bounds.bytes($0.integer(0)) } ?? 0
      }
    }
    return total
  }

  /// The number of representations that each call of ``measure(_:)`` reads.
  private static let sizesAtOnce: Int64 = 4_096

  /// Adds the next rows of a source to a count.
  ///
  /// - Returns: whether more rows remain.
  func measure(_ use: inout SourceUse) throws(StoreError) -> Bool {
    var last: Int64?
    try transaction.read { () throws(SQLiteError) in
      try sourceSizes.forEach(use.lastKey, Self.sizesAtOnce) { row in
        last = row.integer(0)
        use.add(row.text(1), byteCount: Bounds.bytes(row.integer(2)))
      }
    }
    use.lastKey = last ?? use.lastKey
    return last != nil
  }
}
