/// The names of the daemon's files in its data directory.
public enum DataFiles {
  /// The database of boards.
  public static let database = "boards.db"
  /// The latest version of the database that this release knows: `PRAGMA user_version`.
  public static let databaseVersion = 6
  /// The write-ahead log of a database, and SQLite's other files beside it.
  public static let databaseSuffixes = ["-wal", "-shm", "-journal"]
  /// The directory of large contents.
  public static let contents = "contents"
  /// The lock that the daemon holds while it uses the directory.
  public static let lock = "lock"
  /// The note that the database is damaged, and is recovered at the next start.
  public static let damageNote = "damaged"
  /// The list of contents that the daemon found missing or altered, one line for each.
  public static let lostContents = "lost-contents.txt"
  /// The prefix of the directories in which damaged databases are kept; the date follows.
  public static let damagedPrefix = "damaged-"
  /// The report in such a directory: what could be recovered, in one line.
  public static let report = "report.txt"
}
