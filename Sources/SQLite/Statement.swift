public import CSQLite

/// An SQL statement that is prepared at its first use and reused afterwards.
///
/// After each use, the statement is reset and its parameters are cleared, so that it retains
/// neither a lock nor a pointer.
public final class Statement {
  @usableFromInline let database: Database
  @usableFromInline let sql: String
  @usableFromInline var raw: OpaquePointer?

  /// Creates a statement from a single SQL statement, which is parsed at the first use.
  public init(_ database: Database, _ sql: String) {
    self.database = database
    self.sql = sql
  }

  deinit { database.finalize(raw) }

  /// Runs the statement with these values for its parameters, in order.
  ///
  /// The rows of the result are not read.
  @inlinable
  public func run<each Value: Bindable>(_ values: repeat each Value) throws(SQLiteError) {
    let raw = try prepared()
    defer { reset(raw) }
    var position: Int32 = 0
    repeat try bind(each values, to: raw, after: &position)
    while try step(raw) {}
  }

  /// Returns the result of `read` for the first row; nil if there is no row.
  @inlinable
  public func first<Result, each Value: Bindable>(
    _ values: repeat each Value, read: (ResultRow) -> Result
  ) throws(SQLiteError) -> Result? {
    let raw = try prepared()
    defer { reset(raw) }
    var position: Int32 = 0
    repeat try bind(each values, to: raw, after: &position)
    return try step(raw) ? read(ResultRow(raw: raw)) : nil
  }

  /// Passes every row to `body`, in order.
  @inlinable
  public func forEach<each Value: Bindable>(
    _ values: repeat each Value, body: (ResultRow) -> Void
  ) throws(SQLiteError) {
    let raw = try prepared()
    defer { reset(raw) }
    var position: Int32 = 0
    repeat try bind(each values, to: raw, after: &position)
    while try step(raw) { body(ResultRow(raw: raw)) }
  }
}

extension Statement {
  @usableFromInline
  func prepared() throws(SQLiteError) -> OpaquePointer {
    if let raw, database.isOpen { return raw }
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database.raw, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw SQLiteError(database.raw) }
    raw = prepared
    database.statements.insert(prepared)
    return prepared
  }

  @inlinable
  @inline(__always)
  func bind(
    _ value: some Bindable, to raw: OpaquePointer, after position: inout Int32
  ) throws(SQLiteError) {
    position += 1
    guard value.bind(to: raw, at: position) == SQLITE_OK else { throw SQLiteError(database.raw) }
  }

  /// Advances to the next row; returns false at the end.
  @inlinable
  func step(_ raw: OpaquePointer) throws(SQLiteError) -> Bool {
    switch sqlite3_step(raw) {
    case SQLITE_ROW: true
    case SQLITE_DONE: false
    default: throw SQLiteError(database.raw)
    }
  }

  @inlinable
  func reset(_ raw: OpaquePointer) {
    sqlite3_reset(raw)  // Its result code is that of the last step, which was checked.
    sqlite3_clear_bindings(raw)
  }
}

/// The current row of a statement.
///
/// A row is valid only within the closure that receives it.
public struct ResultRow {
  @usableFromInline let raw: OpaquePointer

  @inlinable
  init(raw: OpaquePointer) { self.raw = raw }

  /// Returns the integer in a column; 0 for NULL.
  @inlinable
  public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(raw, column) }

  /// Returns the integer in a column; nil for NULL.
  @inlinable
  public func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  /// Returns whether a column is NULL.
  @inlinable
  public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(raw, column) == SQLITE_NULL }

  /// Returns the bytes of a column in SQLite's memory; valid until the statement advances.
  @inlinable
  public func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    // Call this before the function for the length. It determines the encoding, and so the length.
    let start = sqlite3_column_blob(raw, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, column)))
  }

  /// Returns the text in a column, with U+FFFD for invalid UTF-8; nil for NULL.
  @inlinable
  public func text(_ column: Int32) -> String? {
    isNull(column) ? nil : String(decoding: bytes(column), as: UTF8.self)
  }
}
