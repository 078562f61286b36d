internal import Files
internal import Glibc
public import SQLite
internal import Synchronization

/// The database with the state of the link: for each log the trail, the latest entries, the replica
/// with its journal, the index of contents, and the board of the daemon; and the settings of this
/// machine.
///
/// Transactions are durable in their order: if a transaction survives a power cut, all earlier
/// transactions survive, too. So a replica never has an entry that the trail does not have.
///
/// The service and the commands of the user have the database open at the same time.
public final class StateDatabase: Sendable {
  /// The name of the file.
  static let fileName = "link.db"
  /// The version of the tables.
  private static let version: Int64 = 2
  /// The time to wait for a transaction of another program, in milliseconds.
  private static let busyTimeout = 30_000

  /// The directory of the file, of the report and of the contents.
  public let directory: String
  /// The lock of `connection`.
  private let lock = Mutex(())
  nonisolated(unsafe) private let connection: StateConnection

  /// The reason why the database cannot be used.
  public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// A later version of the program wrote the file.
    case laterVersion(String)
    /// The file is damaged.
    case damaged(String, SQLiteError)
    /// The disk or the quota of the user has no space.
    case full(String)
    /// The service of an earlier version runs, which stores its state in other files.
    case earlierService

    /// The file, the problem and the remedy.
    public var description: String {
      switch self {
      case .laterVersion(let path): "\(path): a later version of dragboard-link wrote the file"
      case .damaged(let path, let error):
        "\(path): damaged: \(error) (move the file away, then accept the boards: dragboard link accept NAME)"
      case .full(let directory):
        "disk: no space for the state of the link (free space in \(directory))"
      case .earlierService:
        "service: an earlier version of dragboard-link runs (systemctl --user restart dragboard-link)"
      }
    }
  }

  /// Opens the database in a directory, or creates it.
  ///
  /// The files of an earlier version are imported, and then removed. `isService` states whether the
  /// caller has the lock of the service; another caller imports files only if no service runs.
  public init(in directory: String, isService: Bool = false) throws {
    self.directory = directory
    let path = "\(directory)/\(Self.fileName)"
    // SQLite gives its log and its index the mode of this file.
    _ = try FileDescriptor(opening: path, O_RDWR | O_CREAT, mode: 0o600)
    do {
      let database = try Database(path: path)
      try Self.prepare(database, path)
      connection = StateConnection(database)
    } catch let error as SQLiteError where error.isDamage {
      throw Problem.damaged(path, error)
    }
    let files = EarlierFiles(in: directory)
    if !files.isEmpty { try files.move(into: self, isService: isService) }
    removeUnknownContents()
  }

  private static func prepare(_ database: Database, _ path: String) throws {
    try database.execute(
      """
      PRAGMA busy_timeout = \(busyTimeout); PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON
      """)
    var version = try database.integer("PRAGMA user_version")
    guard version <= Self.version else { throw Problem.laterVersion(path) }
    try database.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON;
      PRAGMA journal_size_limit = 4194304; PRAGMA foreign_keys = ON
      """)
    guard version < Self.version else { return }
    try database.execute("BEGIN IMMEDIATE")
    // Another program may have created the tables in the meantime.
    version = try database.integer("PRAGMA user_version")
    if version == 0 { try database.execute(Self.tables) }
    if version == 1 { try database.execute("ALTER TABLE log ADD COLUMN successor TEXT") }
    try database.execute("PRAGMA user_version = \(Self.version); COMMIT")
  }

  /// - `log`: a log of a group or a board. `board` is the object path of the daemon's board, "" if
  ///   the user has accepted the board and it does not exist yet, and NULL if the log is not accepted
  ///   or has no board. `tail` is the number of bytes of its entries in the table `sealed`. `successor` is
  ///   the name of a later log of the board, if this machine knows one.
  /// - `entry`: the hash of every entry that this machine has verified. `seal` states whether later
  ///   entries must have a member seal.
  /// - `sealed`: the latest entries as the server has them.
  /// - `replica`, `event`: a replica, and the events since then.
  /// - `content`: the contents in files; `time` is the time of the latest use, in seconds since 1970.
  /// - `setting`: the settings of this machine.
  private static let tables = """
    CREATE TABLE log (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, board TEXT, tail INTEGER NOT NULL DEFAULT 0,
      successor TEXT);
    CREATE TABLE entry (
      log INTEGER NOT NULL REFERENCES log ON DELETE CASCADE, number INTEGER NOT NULL,
      hash BLOB NOT NULL, epoch INTEGER NOT NULL, seal INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (log, number)) WITHOUT ROWID;
    CREATE TABLE sealed (
      id INTEGER PRIMARY KEY, log INTEGER NOT NULL REFERENCES log ON DELETE CASCADE,
      number INTEGER NOT NULL, bytes BLOB NOT NULL);
    CREATE INDEX sealed_number ON sealed (log, number);
    CREATE TABLE replica (
      log INTEGER PRIMARY KEY REFERENCES log ON DELETE CASCADE, bytes BLOB NOT NULL);
    CREATE TABLE event (
      id INTEGER PRIMARY KEY AUTOINCREMENT, log INTEGER NOT NULL REFERENCES log ON DELETE CASCADE,
      bytes BLOB NOT NULL);
    CREATE INDEX event_log ON event (log);
    CREATE TABLE content (
      log INTEGER NOT NULL REFERENCES log ON DELETE CASCADE, hash BLOB NOT NULL,
      time INTEGER NOT NULL, PRIMARY KEY (log, hash)) WITHOUT ROWID;
    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    """

  // MARK: Transactions

  /// Reads in a transaction.
  public func read<Result: Sendable>(
    _ body: (StateConnection) throws -> Result
  ) throws -> Result {
    try lock.withLock { _ in try connection.transaction("BEGIN") { try body(connection) } }
  }

  /// Writes in a transaction.
  ///
  /// If `isDurable` is true, the function returns only when the transaction is durable. Otherwise the
  /// next durable transaction makes it durable, too.
  public func write<Result: Sendable>(
    isDurable: Bool = true, _ body: (StateConnection) throws -> Result
  ) throws -> Result {
    try lock.withLock { _ in
      try connection.setDurability(isDurable)
      do { return try connection.transaction("BEGIN IMMEDIATE") { try body(connection) } } catch let
        error as SQLiteError where error.isLackOfSpace
      {
        throw Problem.full(directory)
      }
    }
  }

  /// Makes all transactions of this object durable.
  public func sync() throws {
    guard lock.withLock({ _ in connection.hasUnsyncedCommits }) else { return }
    try setSetting("synced", to: "")
  }

  // MARK: Settings

  /// Returns a setting of this machine; nil if it was never set.
  public func setting(_ name: String) throws -> String? {
    try read {
      try $0.first("SELECT value FROM setting WHERE name = ?", name) { $0.text(0) } ?? nil
    }
  }

  /// Sets a setting of this machine; nil removes it.
  public func setSetting(_ name: String, to value: String?) throws {
    try write { connection in
      guard let value else { return try connection.run("DELETE FROM setting WHERE name = ?", name) }
      try connection.run("INSERT OR REPLACE INTO setting VALUES (?, ?)", name, value)
    }
  }

  // MARK: Logs

  /// Returns the number of a log in the tables, which is created if it does not exist.
  public func number(ofLog name: String) throws -> Int64 {
    if let number = try read({ try $0.number(ofLog: name) }) { return number }
    return try write { try $0.makeLog(name) }
  }

  /// Returns the object path of the daemon's board of a log; "" if the board was accepted and does
  /// not exist yet, and nil if the log is not accepted.
  public func board(ofLog name: String) throws -> String? {
    try read { try $0.first("SELECT board FROM log WHERE name = ?", name) { $0.text(0) } ?? nil }
  }

  /// Sets the object path of the daemon's board of a log.
  public func setBoard(_ path: String, ofLog name: String) throws {
    try write { connection in
      let number = try connection.makeLog(name)
      try connection.run("UPDATE log SET board = ? WHERE id = ?", path, number)
    }
  }

  /// The names of all logs.
  public var logs: [String] {
    get throws {
      try read { connection in
        var names: [String] = []
        try connection.forEach("SELECT name FROM log ORDER BY id") {
          names.append($0.text(0) ?? "")
        }
        return names
      }
    }
  }

  /// Returns the name of a later log that this machine knows; nil if it knows none.
  public func successor(ofLog name: String) throws -> String? {
    try read {
      try $0.first("SELECT successor FROM log WHERE name = ?", name) { $0.text(0) } ?? nil
    }
  }

  /// Records a later log.
  public func setSuccessor(_ successor: String, ofLog name: String) throws {
    try write { try $0.run("UPDATE log SET successor = ? WHERE name = ?", successor, name) }
  }

  /// Returns the names of the logs whose latest known successor is a log.
  public func logs(before successor: String) throws -> [String] {
    try read { connection in
      var names: [String] = []
      try connection.forEach("SELECT name FROM log WHERE successor = ?", successor) {
        names.append($0.text(0) ?? "")
      }
      return names
    }
  }

  /// Removes the trail and the entries of a log.
  public func removeTrail(ofLog name: String) throws {
    guard let number = try read({ try $0.number(ofLog: name) }) else { return }
    try write { connection in
      try connection.run("DELETE FROM entry WHERE log = ?", number)
      try connection.run("DELETE FROM sealed WHERE log = ?", number)
      try connection.run("UPDATE log SET tail = 0 WHERE id = ?", number)
    }
  }

  /// Removes the replica, the trail and the contents of a log, so that it is read from its beginning.
  public func resetLog(_ name: String) throws {
    guard let number = try read({ try $0.number(ofLog: name) }) else { return }
    try write { connection in
      for table in ["entry", "sealed", "replica", "event", "content"] {
        try connection.run("DELETE FROM \(table) WHERE log = ?", number)
      }
      try connection.run("UPDATE log SET tail = 0, successor = NULL WHERE id = ?", number)
    }
    Self.removeDirectory(contentDirectory(ofLog: number))
  }

  /// Removes everything about a log; does nothing if it does not exist.
  public func removeLog(_ name: String) throws {
    guard try read({ try $0.number(ofLog: name) }) != nil else { return }
    try write { try $0.run("DELETE FROM log WHERE name = ?", name) }
    removeUnknownContents()
  }

  /// Removes the trails and the entries of all logs, and the settings of the group.
  ///
  /// The replicas remain. If the machine joins the group again, they prevent that it has to compare
  /// all rows.
  public func removeTrails() throws {
    try write { connection in
      for statement in [
        "DELETE FROM entry", "DELETE FROM sealed", "UPDATE log SET tail = 0, successor = NULL",
        "DELETE FROM setting WHERE name <> 'drags'",
      ] { try connection.run(statement) }
    }
  }

  // MARK: Contents

  /// The directory of the contents of a log.
  public func contentDirectory(ofLog number: Int64) -> String { "\(directory)/contents/\(number)" }

  /// Removes the directories of contents that belong to no log.
  private func removeUnknownContents() {
    let path = "\(directory)/contents"
    guard let names = try? FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY).names() else {
      return
    }
    for name in names {
      guard let number = Int64(name),
        let isKnown = try? read({ connection in
          try connection.first("SELECT 1 FROM log WHERE id = ?", number) { _ in true } ?? false
        }), !isKnown
      else { continue }
      Self.removeDirectory("\(path)/\(name)")
    }
  }

  static func removeDirectory(_ path: String) {
    for name in (try? FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY).names()) ?? [] {
      unlink("\(path)/\(name)")
    }
    rmdir(path)
  }
}
