public import Files
internal import Glibc

/// An error of the store.
public enum StoreError: Error, Hashable, Sendable {
  /// Another owner has the directory: the process with that number, if it is known.
  case inUse(directory: String, owner: Int32?)

  /// A file or folder cannot be made or opened.
  case unusable(path: String, reason: String)

  /// The database was written by a later release, whose schema has that version.
  case newer(version: Int, known: Int)

  /// The file is somebody else's database.
  case foreign(path: String)

  /// What is stored makes no sense.
  case damaged(String)

  /// The disk, or SQLite, refused.
  case io(SQLiteError)

  /// The system refused to do something with a content's file.
  case file(FileError)

  /// A content's file is missing, or has so many bytes and not as many as it had: the content is lost, and
  /// nothing else.
  case lost(path: String, byteCount: Int, found: Int?)

  /// A content's file has as many bytes as it had, and others: the content is lost, and nothing
  /// else.
  case altered(path: String)

  /// What was to be stored is no item.
  case badItem(String)

  /// A value is missing from the database or makes no sense, and the rest can be used.
  case unreadable(String)

  /// The rows that were staged were rolled back with other edits.
  case rolledBack
}

extension StoreError {
  /// Whether one content cannot be read, and everything else can.
  public var isOfOneContent: Bool {
    switch self {
    case .lost, .altered: true
    case .file(let error): ![EMFILE, ENFILE, ENOMEM, ENOSPC].contains(error.code)
    default: false
    }
  }

  /// A file that the store cannot do without cannot be opened.
  static func unusable(_ error: FileError) -> StoreError {
    .unusable(path: error.path, reason: error.reason)
  }

  /// Distinguishes damage from errors that may not come again.
  init(_ error: SQLiteError) {
    self = error.isDamage ? .damaged("the database: \(error)") : .io(error)
  }
}

extension StoreError: CustomStringConvertible {
  /// The problem, and how to solve it if that is possible.
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
      "this is no item: \(why)"
    case .unreadable(let message):
      message
    case .rolledBack:
      "what was stored has been taken back with other edits; try again"
    }
  }
}
