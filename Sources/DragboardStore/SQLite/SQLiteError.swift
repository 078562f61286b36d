internal import CSQLite

/// What SQLite refused to do, and why.
public struct SQLiteError: Error, Hashable, Sendable {
  /// The result code with its detail (`SQLITE_IOERR_FSYNC`): <https://sqlite.org/rescode.html>.
  public let extendedCode: Int32

  /// What SQLite says of it in English.
  public let message: String

  /// The result code without its detail (`SQLITE_IOERR`).
  public var code: Int32 { extendedCode & 0xff }

  /// Makes an error as SQLite reports it.
  init(extendedCode: Int32, message: String) {
    self.extendedCode = extendedCode
    self.message = message
  }

  /// The latest error of a connection; nil stands for one that there was no memory for.
  init(_ database: OpaquePointer?) {
    extendedCode = sqlite3_extended_errcode(database)
    message = String(cString: sqlite3_errmsg(database))
  }

  /// Whether the file is not a database, or not a whole one.
  var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
}

extension SQLiteError: CustomStringConvertible {
  /// SQLite's message and its code.
  public var description: String { "\(message) (SQLite \(extendedCode))" }
}
