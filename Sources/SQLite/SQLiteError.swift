internal import CSQLite

/// An error of SQLite.
public struct SQLiteError: Error, Hashable, Sendable {
  /// The extended result code, such as `SQLITE_IOERR_FSYNC`.
  ///
  /// Source: <https://sqlite.org/rescode.html>.
  public let extendedCode: Int32

  /// SQLite's message, in English.
  public let message: String

  /// The primary result code, such as `SQLITE_IOERR`.
  public var code: Int32 { extendedCode & 0xff }

  /// Creates an error from its parts.
  public init(extendedCode: Int32, message: String) {
    self.extendedCode = extendedCode
    self.message = message
  }

  /// Creates an error from the last error of a connection.
  ///
  /// If `database` is nil, memory was exhausted.
  public init(_ database: OpaquePointer?) {
    extendedCode = sqlite3_extended_errcode(database)
    message = String(cString: sqlite3_errmsg(database))
  }

  /// Creates an error from a result code.
  public init(code: Int32) {
    self.init(extendedCode: code, message: String(cString: sqlite3_errstr(code)))
  }

  /// Whether the disk is full.
  public var isLackOfSpace: Bool { code == SQLITE_FULL }

  /// Whether the file is damaged or not a database.
  public var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
}

extension SQLiteError: CustomStringConvertible {
  /// The message and the code of the error.
  public var description: String { "\(message) (SQLite \(extendedCode))" }
}
