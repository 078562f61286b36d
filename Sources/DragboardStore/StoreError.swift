public import Files
internal import Glibc
public import SQLite

/// An error of the store.
public enum StoreError: Error, Hashable, Sendable {
  /// Another process uses the directory. `owner` is its number, if known.
  case inUse(directory: String, owner: Int32?)

  /// A file or directory cannot be created or opened.
  case unusable(path: String, reason: String)

  /// A later release wrote the database. `version` is the version of its schema.
  case newer(version: Int, known: Int)

  /// The file is the database of another program.
  case foreign(path: String)

  /// The stored data are invalid.
  case damaged(String)

  /// The disk or SQLite refused an operation.
  case io(SQLiteError)

  /// The system refused an operation on a content's file.
  case file(FileError)

  /// A content's file is missing or has another length. Only this content is lost.
  case lost(path: String, byteCount: Int, found: Int?)

  /// A content's file has the same length but other bytes. Only this content is lost.
  case altered(path: String)

  /// The content that was to be stored is not valid.
  case badItem(String)

  /// A value in the database is missing or invalid. All other values can be used.
  case unreadable(String)

  /// The staged rows were rolled back with other edits.
  case rolledBack
}

extension StoreError {
  /// Whether the error affects only one content.
  public var isOfOneContent: Bool {
    switch self {
    case .lost, .altered: true
    case .file(let error): ![EMFILE, ENFILE, ENOMEM, ENOSPC].contains(error.code)
    default: false
    }
  }

  /// Returns the error for a required file that cannot be opened.
  static func unusable(_ error: FileError) -> StoreError {
    .unusable(path: error.path, reason: error.reason)
  }

  /// Creates an error that distinguishes damage from temporary problems.
  init(_ error: SQLiteError) {
    self = error.isDamage ? .damaged("SQLite reports: \(error)") : .io(error)
  }
}

extension StoreError: CustomStringConvertible {
  /// The problem, and the solution if there is one.
  public var description: String {
    switch self {
    case .inUse(let directory, let owner?):
      "\(directory) is in use by process \(owner) (end that process, or choose another directory)"
    case .inUse(let directory, nil):
      "\(directory) is in use by another process (end that process, or choose another directory)"
    case .unusable(let path, let reason):
      "\(path): \(reason)"
    case .newer(let version, let known):
      "the database has version \(version) (expected at most \(known); use a later release of Dragboard)"
    case .foreign(let path):
      "\(path) is a database of another program, not one of Dragboard's (choose another directory)"
    case .damaged(let what):
      "the database is damaged: \(what) (restart the daemon to recover the readable data)"
    case .io(let error):
      "the database cannot be used: \(error)"
    case .file(let error):
      "\(error)"
    case .lost(let path, let byteCount, let found?):
      "\(path) has \(found) bytes (expected \(byteCount)), so the content is lost"
    case .lost(let path, let byteCount, nil):
      "\(path) is missing, so the content of \(byteCount) bytes is lost"
    case .altered(let path):
      "the bytes of \(path) have changed since they were written, so the content is lost"
    case .badItem(let why):
      "invalid item: \(why)"
    case .unreadable(let message):
      message
    case .rolledBack:
      "rows: they were rolled back with other edits (try again)"
    }
  }
}
