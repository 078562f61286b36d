internal import CSQLite

/// One connection to a database file, closed when the last statement made from it is gone.
///
/// Used from one thread at a time: SQLite's own locks are switched off.
///
/// SQLite's C functions are used directly, and not through GRDB: in a program of nothing but durable inserts
/// that took half the CPU (24 µs each against 49), half the memory (7 MiB against 14, for GRDB brings all of
/// Foundation) and a ninth of the space on disk (7 MB against 61).
package final class Database {
  let raw: OpaquePointer
  package let path: String

  /// What has to be held for as long as the file is open.
  package let lock: StoreLock

  /// Opens the file, which is made where it is missing.
  ///
  /// Nothing is read yet. The corresponding C function is `sqlite3_open_v2`.
  package init(path: String, holding lock: StoreLock) throws(SQLiteError) {
    _ = Self.isPrepared
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let handle else {
      let error = SQLiteError(handle)
      sqlite3_close(handle)
      throw error
    }
    raw = handle
    self.path = path
    self.lock = lock
  }

  /// Configures SQLite once for the process, before it is used.
  private static let isPrepared = csqlite_count_no_memory()

  // The lock is released after this: members outlive the body.
  deinit { sqlite3_close(raw) }

  /// Makes closing leave the file and its log byte by byte as they are.
  package func leaveLogOnClose() {
    // It fails for a connection that is not open alone.
    _ = csqlite_leave_log_on_close(raw)
  }

  /// Writes what is in the log to the database, makes it durable there, and empties the log.
  ///
  /// The corresponding C function is `sqlite3_wal_checkpoint_v2`.
  package func emptyLog() throws(SQLiteError) {
    let code = sqlite3_wal_checkpoint_v2(raw, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(raw) }
  }

  /// Runs statements that have no values and whose rows nobody wants.
  package func execute(_ sql: String) throws(SQLiteError) {
    guard sqlite3_exec(raw, sql, nil, nil, nil) == SQLITE_OK else { throw SQLiteError(raw) }
  }

  /// The number that a statement of one row and one column gives; 0 where it gives none.
  package func integer(_ sql: String) throws(SQLiteError) -> Int64 {
    try Statement(self, sql).first { $0.integer(0) } ?? 0
  }

  /// Whether a transaction is open: SQLite ends one by itself after some errors, of reads, too.
  ///
  /// The corresponding C function is `sqlite3_get_autocommit`.
  var isInTransaction: Bool { sqlite3_get_autocommit(raw) == 0 }

  /// How many rows have been inserted, changed and deleted since the file was opened.
  ///
  /// The corresponding C function is `sqlite3_total_changes`.
  var totalChanges: Int64 { Int64(sqlite3_total_changes(raw)) }

  /// The number that the latest insert gave to its row.
  var lastInsertedID: Int64 { sqlite3_last_insert_rowid(raw) }

  /// The first `count` bytes of a blob, or all of it where it is shorter; the rest is not read.
  func blobPrefix(table: String, column: String, id: Int64, count: Int) throws(SQLiteError)
    -> [UInt8]
  {
    var blob: OpaquePointer?
    guard sqlite3_blob_open(raw, "main", table, column, id, 0, &blob) == SQLITE_OK else {
      throw SQLiteError(raw)
    }
    defer { sqlite3_blob_close(blob) }
    let count = min(count, Int(sqlite3_blob_bytes(blob)))
    var code = SQLITE_OK
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      code = sqlite3_blob_read(blob, buffer.baseAddress, Int32(count), 0)
      initialized = code == SQLITE_OK ? count : 0
    }
    guard code == SQLITE_OK else { throw SQLiteError(raw) }
    return bytes
  }
}
