/// What the daemon's files are called in its folder of data, for whoever looks at them from outside.
public enum DataFiles {
  /// The database of boards.
  public static let database = "boards.db"
  /// The latest version of it that this release knows: `PRAGMA user_version`.
  public static let databaseVersion = 3
  /// Says that the database has been found damaged, and is recovered at the next start.
  public static let damageNote = "damaged"
  /// How the folders begin in which damaged databases are kept; the date follows.
  public static let damagedPrefix = "damaged-"
  /// In such a folder: what could be recovered, in one line.
  public static let report = "report.txt"
}
