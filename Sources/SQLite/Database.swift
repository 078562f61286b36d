internal import CSQLite

/// A lock that excludes other programs from a database.
public protocol DatabaseLock: AnyObject {
  /// Releases the lock.
  func release()
}

/// A connection to a database file.
///
/// The connection is closed when its last statement is released.
///
/// Use it from one thread at a time, because SQLite's locks are switched off.
///
/// This class calls SQLite's C functions directly and does not use GRDB. For a program that only
/// makes durable inserts, this was measured: 24 µs of CPU time per insert (49 with GRDB), 7 MiB of
/// memory (14, because GRDB loads all of Foundation), and 7 MB on disk (61).
public final class Database {
  /// SQLite's connection; nil after ``close()``, when all calls fail.
  public private(set) var raw: OpaquePointer?
  /// The prepared statements.
  @usableFromInline var statements: Set<OpaquePointer> = []
  /// The path of the file.
  public let path: String
  private let lock: (any DatabaseLock)?

  /// Opens the file, and creates it if it is missing.
  ///
  /// This does not read the file. The corresponding C function is `sqlite3_open_v2`. The lock, if
  /// any, is retained as long as the file is open.
  public init(path: String, holding lock: (any DatabaseLock)? = nil) throws(SQLiteError) {
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

  /// Configures SQLite once for the process, before the first use.
  private static let isPrepared = csqlite_count_no_memory()

  // `lock` is a member, and members outlive the body of `deinit`. So the lock is released after the
  // connection is closed.
  deinit { sqlite3_close(raw) }

  /// Whether the connection is open.
  @usableFromInline var isOpen: Bool { raw != nil }

  /// Closes the connection, which also releases SQLite's locks, and then releases the lock of the
  /// directory.
  ///
  /// The process may keep the descriptors of the locks open: if a thread hangs in the kernel, not
  /// even the end of the process closes them.
  public func close() {
    // SQLite's index of words has statements on the connection, too, which it finalizes itself.
    for statement in statements { sqlite3_finalize(statement) }
    statements = []
    sqlite3_close(raw)
    raw = nil
    lock?.release()
  }

  /// Releases a statement, unless the database is closed.
  func finalize(_ statement: OpaquePointer?) {
    guard let statement, statements.remove(statement) != nil else { return }
    sqlite3_finalize(statement)
  }

  /// Prevents changes of the file and its log when the connection is closed.
  public func leaveLogOnClose() {
    // SQLite refuses this if there are other open connections.
    _ = csqlite_leave_log_on_close(raw)
  }

  /// Copies the log to the database, makes the database durable, and empties the log.
  ///
  /// The corresponding C function is `sqlite3_wal_checkpoint_v2`.
  public func emptyLog() throws(SQLiteError) {
    let code = sqlite3_wal_checkpoint_v2(raw, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(raw) }
  }

  /// Runs statements without parameters and ignores their rows.
  public func execute(_ sql: String) throws(SQLiteError) {
    guard sqlite3_exec(raw, sql, nil, nil, nil) == SQLITE_OK else { throw SQLiteError(raw) }
  }

  /// Returns the first column of a statement's first row; 0 if there is no row.
  public func integer(_ sql: String) throws(SQLiteError) -> Int64 {
    try Statement(self, sql).first { $0.integer(0) } ?? 0
  }

  /// Whether a transaction is open.
  ///
  /// SQLite ends a transaction after some errors, even after errors of reads.
  ///
  /// The corresponding C function is `sqlite3_get_autocommit`.
  public var isInTransaction: Bool { sqlite3_get_autocommit(raw) == 0 }

  /// The number of rows inserted, changed and deleted since the file was opened.
  ///
  /// The corresponding C function is `sqlite3_total_changes`.
  public var totalChanges: Int64 { Int64(sqlite3_total_changes(raw)) }

  /// The key of the last inserted row.
  public var lastInsertedID: Int64 { sqlite3_last_insert_rowid(raw) }

  /// Returns the first `count` bytes of a blob, or all bytes of a shorter blob.
  ///
  /// The rest is not read.
  public func blobPrefix(table: String, column: String, id: Int64, count: Int) throws(SQLiteError)
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
