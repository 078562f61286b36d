package import BoardModel

/// A search in the index of words, which returns the found rows in parts.
///
/// Between the parts, the store may be read and written. As long as a search has not ended, SQLite
/// cannot copy its log to the database. So a search must end soon.
package final class WordSearch {
  private let transaction: StoreTransaction
  /// Nil at the end.
  private var statement: Statement?
  /// Rows that were read in advance.
  private var rows: [RowID] = []

  /// Creates a search that finds nothing.
  init(_ transaction: StoreTransaction) { self.transaction = transaction }

  /// Begins a search.
  ///
  /// - Parameters:
  ///   - transaction: the transaction of the store.
  ///   - expression: the words, in FTS5's syntax.
  ///   - source: the application that the rows came from; nil for all applications.
  /// - Throws: `StoreError`.
  init(
    _ transaction: StoreTransaction, for expression: String, source: String?
  ) throws(StoreError) {
    self.transaction = transaction
    let database = transaction.database
    let statement = Statement(database, source == nil ? Self.found : Self.foundOfSource)
    try transaction.read { () throws(SQLiteError) in
      if let source {
        try statement.begin(expression, source)
      } else {
        try statement.begin(expression)
      }
    }
    self.statement = statement
    // The next write must empty the log first, so the search must end before.
    guard transaction.isLogUnverified else { return }
    while let row = try nextOfStatement() { rows.append(row) }
    rows.reverse()
  }

  private static let found = "SELECT rowid FROM search WHERE search MATCH ?"
  private static let foundOfSource = """
    SELECT search.rowid FROM search
    JOIN representation ON representation.id = search.rowid << 8
    WHERE search MATCH ? AND representation.source = ?
    """

  /// Returns the next row, in any order; nil at the end.
  package func next() throws(StoreError) -> RowID? {
    if let row = rows.popLast() { return row }
    return try nextOfStatement()
  }

  private func nextOfStatement() throws(StoreError) -> RowID? {
    guard let statement else { return nil }
    let row: RowID?
    do throws(StoreError) {
      row = try transaction.read { () throws(SQLiteError) in
        try statement.next { RowID(UInt64(bitPattern: $0.integer(0))) }
      }
    } catch {
      end()
      throw error
    }
    if row == nil { end() }
    return row
  }

  private func end() {
    statement?.end()
    statement = nil
  }
}

extension StoreReading {
  /// Returns all rows that a search finds, in any order.
  package func search(_ query: String, source: String? = nil) throws(StoreError) -> [RowID] {
    let search = try beginSearch(query, source: source)
    var rows: [RowID] = []
    while let row = try search.next() { rows.append(row) }
    return rows
  }
}
