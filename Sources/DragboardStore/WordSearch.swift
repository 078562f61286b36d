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
  private var rows: [Found] = []

  /// Creates a search that finds nothing.
  init(_ transaction: StoreTransaction) { self.transaction = transaction }

  /// Begins a search.
  ///
  /// - Parameters:
  ///   - transaction: the transaction of the store.
  ///   - expression: the words, in FTS5's syntax.
  ///   - source: the application that rows are compared with; nil for all applications.
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

  private static let found = "SELECT rowid, 1 FROM search WHERE search MATCH ?"
  // A condition on the source would read rows of other sources without an end of the step.
  private static let foundOfSource = """
    SELECT search.rowid, representation.source = ?2 FROM search
    JOIN representation ON representation.id = search.rowid << 8
    WHERE search MATCH ?1
    """

  /// A row that contains the words, and whether it comes from the application.
  package typealias Found = (row: RowID, isOfSource: Bool)

  /// Returns the next row, in any order; nil at the end.
  package func next() throws(StoreError) -> Found? {
    if let found = rows.popLast() { return found }
    return try nextOfStatement()
  }

  private func nextOfStatement() throws(StoreError) -> Found? {
    guard let statement else { return nil }
    let found: Found?
    do throws(StoreError) {
      found = try transaction.read { () throws(SQLiteError) in
        try statement.next { (RowID(UInt64(bitPattern: $0.integer(0))), $0.integer(1) != 0) }
      }
    } catch {
      end()
      throw error
    }
    if found == nil { end() }
    return found
  }

  private func end() {
    statement?.end()
    statement = nil
  }
}

extension BoardStore {
  /// Returns all rows that a search finds, in any order.
  package func search(_ query: String, source: String? = nil) throws(StoreError) -> [RowID] {
    let search = try beginSearch(query, source: source)
    var rows: [RowID] = []
    while let found = try search.next() { if found.isOfSource { rows.append(found.row) } }
    return rows
  }
}
