internal import CSQLite
internal import Files
internal import Glibc
internal import SQLite

/// The function that opens the database of a data directory, and its checks.
package enum OpenDatabase {
  /// Creates an empty file for the database if there is none.
  ///
  /// - Returns: whether there are no data, because the file, the log and the directory of contents
  ///   are empty.
  package static func touch(in directory: String) throws(StoreError) -> Bool {
    let path = directory + "/" + DataFiles.database
    do throws(FileError) { try Directory.touch(path) } catch { throw .unusable(error) }
    guard isEmpty(path), !hasLog(directory) else { return false }
    return try !hasContents(directory + "/" + DataFiles.contents)
  }

  /// Opens the database in a directory and reads its boards.
  ///
  /// If it throws, the database has not changed.
  ///
  /// - Parameters:
  ///   - directory: the data directory.
  ///   - lock: the lock of the directory.
  ///   - read: creates the tables and reads their initial state.
  /// - Returns: the tables that `read` returns.
  /// - Throws: `StoreError`.
  static func open(
    in directory: String, holding lock: StoreLock,
    _ read: (StoreTransaction) throws(StoreError) -> StoreTables
  ) throws(StoreError) -> StoreTables {
    let path = directory + "/" + DataFiles.database
    try checkNotEmptied(directory)
    let database: Database
    do throws(SQLiteError) {
      database = try Database(path: path, holding: lock)
    } catch {
      throw StoreError(error)
    }
    let transaction = StoreTransaction(database, in: directory)
    let hasLog = hasLog(directory)
    // A database of an earlier release has other tables until it is migrated. So an error before
    // this does not mean damage.
    var isPrepared = false
    let tables: StoreTables
    do throws(StoreError) {
      try database.prepareForBoards()
      isPrepared = true
      try TableCheck.run(on: database)
      tables = try read(transaction)
    } catch {
      database.leaveLogOnClose()
      guard case .io(let failure) = error else { throw error }
      switch failure.code {
      case SQLITE_BUSY: throw .inUse(directory: directory, owner: lockOwner(of: path))
      // After the migration, the statements match the tables. So this error means that the tables
      // are wrong.
      case SQLITE_ERROR where isPrepared: throw .damaged("SQLite reports: \(failure)")
      default: throw error
      }
    }
    // SQLite syncs the name of its log, too, but ignores errors. So the names are synced here.
    do throws(FileError) { try Directory.sync(directory) } catch {
      database.leaveLogOnClose()
      throw .file(error)
    }
    transaction.isLogUnverified = hasLog && (try? database.emptyLog()) == nil
    return tables
  }

  private static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size == 0
  }

  private static func hasLog(_ directory: String) -> Bool {
    var status = stat()
    return stat(directory + "/" + DataFiles.database + "-wal", &status) == 0 && status.st_size > 0
  }

  /// Refuses an empty database file if there is a log or a content.
  ///
  /// SQLite would treat the file as a new database, and remove the log.
  private static func checkNotEmptied(_ directory: String) throws(StoreError) {
    guard isEmpty(directory + "/" + DataFiles.database) else { return }
    let hasContents = try hasContents(directory + "/" + DataFiles.contents)
    guard hasContents || hasLog(directory) else { return }
    throw .damaged("the database file is empty")
  }

  private static func hasContents(_ path: String) throws(StoreError) -> Bool {
    do throws(FileError) {
      guard let listing = try DirectoryListing(path) else { return false }
      while let name = try listing.next() {
        if ContentID(hex: name) != nil { return true }
      }
      return false
    } catch {
      throw .file(error)
    }
  }

  /// Returns the process that has locked the file.
  ///
  /// Call it only if this process has no lock on the file: closing the file would release the lock.
  ///
  /// The corresponding C function is `fcntl`, with `F_GETLK`.
  private static func lockOwner(of path: String) -> Int32? {
    guard let file = try? FileDescriptor(opening: path, O_RDONLY) else { return nil }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    guard fcntl(file.number, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
    return lock.l_pid
  }
}

extension Database {
  /// The time to wait for another program that has locked the file, in milliseconds.
  private static let busyTimeout = 2_000

  /// Checks which program made the file, configures SQLite, and migrates the file to this release's
  /// version.
  ///
  /// Exclusive locking saves six system calls in every transaction. Other daemons are already
  /// excluded by `StoreLock`. With `synchronous = FULL` and a write-ahead log, every commit syncs
  /// once. `cell_size_check` detects cells outside their page. Without it, SQLite would read such a
  /// page without an error and find no rows.
  fileprivate func prepareForBoards() throws(StoreError) {
    do throws(SQLiteError) {
      try execute(
        """
        PRAGMA busy_timeout = \(Self.busyTimeout); PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON
        """)
    } catch {
      throw StoreError(error)
    }
    try checkVersion()
    do throws(SQLiteError) {
      try execute(
        """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;
        PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 4194304;
        """)
      try migrate()
    } catch {
      throw StoreError(error)
    }
  }
}
