internal import CSQLite

/// One SQL statement: prepared at its first use, and kept for the next ones.
///
/// Between two uses it is reset and has no values, so that neither a lock nor a pointer stays with it.
package final class Statement {
  private let database: Database
  private let sql: String
  private var raw: OpaquePointer?

  /// Takes a single statement; nothing is read of it yet.
  package init(_ database: Database, _ sql: String) {
    self.database = database
    self.sql = sql
  }

  deinit { sqlite3_finalize(raw) }

  /// Runs it with those values, in the order of its question marks.
  ///
  /// Its rows are not read.
  package func run<each Value: Bindable>(_ values: repeat each Value) throws(SQLiteError) {
    let raw = try prepared()
    defer { reset(raw) }
    var position: Int32 = 0
    repeat try bind(each values, to: raw, after: &position)
    while try step(raw) {}
  }

  /// What `read` makes of the first row; nil where there is none.
  package func first<Result, each Value: Bindable>(
    _ values: repeat each Value, read: (Row) -> Result
  ) throws(SQLiteError) -> Result? {
    let raw = try prepared()
    defer { reset(raw) }
    var position: Int32 = 0
    repeat try bind(each values, to: raw, after: &position)
    return try step(raw) ? read(Row(raw: raw)) : nil
  }

  /// Shows every row to `body`, one after the other.
  package func forEach<each Value: Bindable>(
    _ values: repeat each Value, body: (Row) -> Void
  ) throws(SQLiteError) {
    let raw = try prepared()
    defer { reset(raw) }
    var position: Int32 = 0
    repeat try bind(each values, to: raw, after: &position)
    while try step(raw) { body(Row(raw: raw)) }
  }
}

extension Statement {
  private func prepared() throws(SQLiteError) -> OpaquePointer {
    if let raw { return raw }
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database.raw, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw SQLiteError(database.raw) }
    raw = prepared
    return prepared
  }

  @inline(__always)
  private func bind(
    _ value: some Bindable, to raw: OpaquePointer, after position: inout Int32
  ) throws(SQLiteError) {
    position += 1
    guard value.bind(to: raw, at: position) == SQLITE_OK else { throw SQLiteError(database.raw) }
  }

  /// Whether it stands at a row now; false at the end.
  private func step(_ raw: OpaquePointer) throws(SQLiteError) -> Bool {
    switch sqlite3_step(raw) {
    case SQLITE_ROW: true
    case SQLITE_DONE: false
    default: throw SQLiteError(database.raw)
    }
  }

  private func reset(_ raw: OpaquePointer) {
    sqlite3_reset(raw)  // repeats what the last step reported
    sqlite3_clear_bindings(raw)
  }
}

/// The row that a statement stands at.
///
/// Valid within the closure that it is given to.
package struct Row {
  fileprivate let raw: OpaquePointer

  /// The number in that column; 0 where there is none.
  package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(raw, column) }

  /// The number in that column; nil where it holds nothing.
  package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  /// Whether the column holds nothing.
  package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(raw, column) == SQLITE_NULL }

  /// The bytes of that column where SQLite has them: valid until the row is left.
  package func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    // The order matters: asking for the pointer first settles what the length is the length of.
    let start = sqlite3_column_blob(raw, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, column)))
  }

  /// The text in that column, with U+FFFD for what is not UTF-8; nil where the column holds nothing.
  package func text(_ column: Int32) -> String? {
    isNull(column) ? nil : String(decoding: bytes(column), as: UTF8.self)
  }
}
