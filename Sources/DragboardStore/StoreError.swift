public import Files
internal import Glibc

/// An error of the store.
public enum StoreError: Error, Hashable, Sendable {
  /// Another owner uses the directory: the process with that number, if it is known.
  case inUse(directory: String, owner: Int32?)

  /// A file or directory cannot be created or opened.
  case unusable(path: String, reason: String)

  /// A later release wrote the database; its schema has that version.
  case newer(version: Int, known: Int)

  /// The file is the database of another program.
  case foreign(path: String)

  /// The stored data are invalid.
  case damaged(String)

  /// The disk or SQLite refused an operation.
  case io(SQLiteError)

  /// The system refused an operation on a content's file.
  case file(FileError)

  /// A content's file is missing or has another length; only this content is lost.
  case lost(path: String, byteCount: Int, found: Int?)

  /// A content's file has the same length but other bytes; only this content is lost.
  case altered(path: String)

  /// The content that was to be stored is not valid.
  case badItem(String)

  /// A value in the database is missing or invalid; all other values can be used.
  case unreadable(String)

  /// The staged rows were rolled back with other edits.
  case rolledBack
}

extension StoreError {
  /// Whether only one content cannot be read.
  public var isOfOneContent: Bool {
    switch self {
    case .lost, .altered: true
    case .file(let error): ![EMFILE, ENFILE, ENOMEM, ENOSPC].contains(error.code)
    default: false
    }
  }

  /// Makes the error for a required file that cannot be opened.
  static func unusable(_ error: FileError) -> StoreError {
    .unusable(path: error.path, reason: error.reason)
  }

  /// Makes an error that distinguishes damage from temporary problems.
  init(_ error: SQLiteError) {
    self = error.isDamage ? .damaged("the database: \(error)") : .io(error)
  }
}

extension StoreError: CustomStringConvertible {
  /// The problem, and the solution if there is one.
  public var description: String {
    switch self {
    case .inUse(let directory, let owner?):
      "\(directory) is in use by process \(owner); end it, or choose another folder"
    case .inUse(let directory, nil):
      "\(directory) is in use by another process; end it, or choose another folder"
    case .unusable(let path, let reason):
      "\(path): \(reason)"
    case .newer(let version, let known):
      "the database has version \(version), this release knows \(known) and earlier; use a later release"
    case .foreign(let path):
      "\(path) is a database, but not one of Dragboard's; choose another folder"
    case .damaged(let what):
      "damaged: \(what); what can be read is recovered when the daemon starts again"
    case .io(let error):
      "the database cannot be used: \(error)"
    case .file(let error):
      "\(error)"
    case .lost(let path, let byteCount, let found?):
      "\(path) has \(found) bytes; the content had \(byteCount) and is lost"
    case .lost(let path, let byteCount, nil):
      "\(path) is missing; the content of \(byteCount) bytes is lost"
    case .altered(let path):
      "\(path) has other bytes than were written; the content is lost"
    case .badItem(let why):
      "invalid item: \(why)"
    case .unreadable(let message):
      message
    case .rolledBack:
      "the staged rows were rolled back with other edits; try again"
    }
  }
}
