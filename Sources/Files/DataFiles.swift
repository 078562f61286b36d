/// The names of the daemon's files in its data directory.
public enum DataFiles {
  /// The database of boards.
  public static let database = "boards.db"
  /// The version of the database that this release writes: `PRAGMA user_version`.
  public static let databaseVersion = 9
  /// The suffixes of SQLite's files beside a database, such as the write-ahead log.
  public static let databaseSuffixes = ["-wal", "-shm", "-journal"]
  /// The directory of large contents.
  public static let contents = "contents"
  /// The lock file that the daemon locks while it uses the directory.
  public static let lock = "lock"
  /// The file whose existence means that the database is damaged and the next start recovers it.
  public static let damageNote = "damaged"
  /// The list of contents that the daemon found missing or altered, one line for each.
  public static let lostContents = "lost-contents.txt"
  /// The prefix of the directories that contain damaged databases; the date follows.
  public static let damagedPrefix = "damaged-"
  /// The file in such a directory that says in one line what could be recovered.
  public static let report = "report.txt"
}
