internal import BoardModel
internal import SQLite

/// The rows that were removed from their boards and whose contents still exist, in pages of several
/// rows.
///
/// Staged rows are also in the table, until a board adopts them.
final class DiscardTable {
  /// The transaction that reads and writes the pages.
  let transaction: StoreTransaction
  private let insert, next, save, delete: Statement
  /// The pages of staged rows.
  ///
  /// No board has these rows yet, but a board may adopt them. So they must not be purged.
  private(set) var staged: Set<Int64> = []

  init(_ transaction: StoreTransaction) {
    let database = transaction.database
    self.transaction = transaction
    insert = Statement(database, "INSERT INTO discarded(rows) VALUES (?)")
    next = Statement(
      database, "SELECT id, rows FROM discarded WHERE id > ? ORDER BY id LIMIT 1")
    save = Statement(database, "UPDATE discarded SET rows = ?2 WHERE id = ?1")
    delete = Statement(database, "DELETE FROM discarded WHERE id = ?")
  }

  /// Adds rows whose contents must be deleted.
  ///
  /// - Returns: the pages of the rows.
  @discardableResult
  func add(_ rows: [RowID]) throws(StoreError) -> [Int64] {
    try transaction.write { () throws(SQLiteError) in
      var rest = rows[...]
      var pages: [Int64] = []
      while !rest.isEmpty {
        let page = rest.prefix(StoredBlock.maxRows).map { RowEntry($0) }
        rest = rest.dropFirst(page.count)
        try page.withPackedBytes { page throws(SQLiteError) in try insert.run(page) }
        pages.append(transaction.database.lastInsertedID)
      }
      return pages
    }
  }

  /// Returns the oldest page that has no staged rows, and its rows.
  func oldest() throws(StoreError) -> (page: Int64, rows: [RowEntry])? {
    var last: Int64 = 0
    while let (page, rows) = try page(after: last) {
      guard staged.contains(page) else { return (page, rows) }
      last = page
    }
    return nil
  }

  private func page(after page: Int64) throws(StoreError) -> (page: Int64, rows: [RowEntry])? {
    try transaction.read { () throws(SQLiteError) in
      try next.first(page) {
        (page: $0.integer(0), rows: [RowEntry](packed: $0.bytes(1)))
      }
    }
  }

  /// Removes all rows except these from a page.
  func keep(_ rows: ArraySlice<RowEntry>, on page: Int64) throws(StoreError) {
    try transaction.write { () throws(SQLiteError) in
      guard !rows.isEmpty else { return try delete.run(page) }
      try Array(rows).withPackedBytes { rows throws(SQLiteError) in try save.run(page, rows) }
    }
  }

  // MARK: Staging

  /// Protects pages from the purge until they are released or adopted.
  func stage(_ pages: [Int64]) { staged.formUnion(pages) }

  /// Ends the protection of pages from the purge.
  func giveUp(_ pages: [Int64]) { staged.subtract(pages) }

  /// Deletes pages, because a board has their rows now.
  func adopt(_ pages: [Int64]) throws(StoreError) {
    giveUp(pages)
    try transaction.write { () throws(SQLiteError) in
      for page in pages { try delete.run(page) }
    }
  }
}
