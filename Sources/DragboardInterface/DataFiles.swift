/// What the daemon's files are called in its folder of data, for whoever looks at them from outside.
public enum DataFiles {
  /// The database of boards.
  public static let database = "boards.db"
  /// The latest version of it that this release knows: `PRAGMA user_version`.
  public static let databaseVersion = 5
  /// Held by the daemon that uses the directory.
  public static let lock = "lock"
  /// Says that the database has been found damaged, and is recovered at the next start.
  public static let damageNote = "damaged"
  /// What the daemon has found of contents that are missing or altered, a line for each.
  public static let lostContents = "lost-contents.txt"
  /// How the folders begin in which damaged databases are kept; the date follows.
  public static let damagedPrefix = "damaged-"
  /// In such a folder: what could be recovered, in one line.
  public static let report = "report.txt"
}
