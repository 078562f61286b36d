internal import SQLite

/// A check that every table has rows of the right kind.
///
/// No page of a database says which table it belongs to. If the roots of two tables are exchanged,
/// SQLite reads the rows of one table as rows of the other, and a board with rows looks empty.
/// Every table has distinctive columns. So the first row is checked with a condition that the rows
/// of any other table violate. The check also finds a missing table. A recovered database always
/// passes.
enum TableCheck {
  /// The names of the tables, each with the SQL condition that its first row must satisfy in the
  /// schema of this release.
  private static let conditions = [
    ("board", "typeof(path) = 'text' AND typeof(name) = 'text' AND typeof(revision) = 'integer'"),
    ("sqlite_sequence", "typeof(name) = 'text' AND typeof(seq) = 'integer'"),
    ("section", "typeof(board) = 'integer' AND typeof(id) = 'integer' AND typeof(name) = 'text'"),
    (
      "block",
      "typeof(section) = 'integer' AND typeof(revision) = 'integer' AND typeof(rows) = 'blob'"
    ),
    ("representation", "typeof(data) = 'blob'"),
    ("discarded", "typeof(rows) = 'blob' AND length(rows) > 0 AND length(rows) % 8 = 0"),
    ("counter", "typeof(next) = 'integer' AND id < 100"),
    ("identity", "typeof(salt) = 'blob' AND length(salt) = 16"),
    ("log", "typeof(revisions) = 'integer' AND typeof(changes) = 'blob'"),
    ("step", "typeof(bytes) = 'integer' AND typeof(operations) = 'blob' AND typeof(kept) = 'blob'"),
    ("search_config", "typeof(k) = 'text'"),
    ("search_idx", "typeof(segid) = 'integer' AND typeof(pgno) = 'integer'"),
    // In this table of FTS5, row 1 contains the averages, and row 10 contains the structure of the
    // index.
    (
      "search_data",
      "id = 1 AND EXISTS (SELECT 1 FROM search_data WHERE id = 10 AND typeof(block) = 'blob')"
    ),
  ]

  /// The tables that always have rows.
  private static let neverEmpty: Set = ["identity", "search_config", "search_data"]

  private static let sql: String = {
    let columns = conditions.map { table, condition in
      "coalesce((SELECT \(condition) FROM \(table) LIMIT 1), \(neverEmpty.contains(table) ? 0 : 1))"
    }
    return "SELECT " + columns.joined(separator: ", ")
  }()

  /// Checks the first row of every table.
  ///
  /// - Throws: `StoreError.damaged`, which names the table.
  static func run(on database: Database) throws(StoreError) {
    let wrong: String?
    do throws(SQLiteError) {
      wrong =
        try Statement(database, sql).first { row in
          zip(conditions, 0...).first { row.integer($0.1) == 0 }?.0.0
        } ?? nil
    } catch {
      throw StoreError(error)
    }
    if let wrong { throw .damaged("table \(wrong) contains rows of another table") }
  }
}
