internal import BoardModel
internal import CSQLite
internal import Files
internal import Glibc

/// A database of boards that is open, with all that is read of it at the beginning.
struct OpenDatabase {
  let database: Database
  let statements: Statements
  let salt: [UInt8]
  let rowNumbers, sessionNumbers, viewNumbers: NumberSupply
  /// Rows with a lower number are in the index of words.
  let indexEnd: UInt64
  /// Whether the index of words may have words of rows that have gone.
  let hasTraces: Bool
  let boards: [BoardRecord]
  /// Whether there is something in the log of which it is not known that the disk has it.
  let isLogDoubtful: Bool

  /// The file in the folder of data.
  static let name = "boards.db"

  /// Creates an empty file for the database if there is none.
  ///
  /// - Returns: whether there are no data: the file is empty, and so are the log and the directory
  ///   of contents.
  static func touch(in directory: String) throws(StoreError) -> Bool {
    let path = directory + "/" + name
    do throws(FileError) { try Folder.touch(path) } catch { throw .unusable(error) }
    guard isEmpty(path), !hasLog(directory) else { return false }
    return try !hasContents(directory + "/" + DataDirectory.contents)
  }

  /// Opens the database in that folder; one that is refused is left as it is.
  init(in directory: String, holding lock: StoreLock) throws(StoreError) {
    let path = directory + "/" + Self.name
    try Self.checkNotEmptied(directory)
    do throws(SQLiteError) {
      database = try Database(path: path, holding: lock)
    } catch {
      throw StoreError(error)
    }
    statements = Statements(database)
    let hasLog = Self.hasLog(directory)
    // Before a database is taken over from an earlier version, it has other tables; one that cannot be is left as it is.
    var isPrepared = false
    do throws(StoreError) {
      try database.prepareForBoards()
      isPrepared = true
      try TableCheck.run(on: database)
      (salt, rowNumbers, sessionNumbers, viewNumbers) = try statements.identity()
      indexEnd = try statements.indexEnd()
      hasTraces = try statements.hasTraces()
      boards = try statements.boardRecords()
    } catch {
      database.leaveLogOnClose()
      guard case .io(let failure) = error else { throw error }
      switch failure.code {
      case SQLITE_BUSY: throw .inUse(directory: directory, owner: Self.lockOwner(of: path))
      // Our statements suit our tables: those that are there are others.
      case SQLITE_ERROR where isPrepared: throw .damaged("the database: \(failure)")
      default: throw error
      }
    }
    // SQLite syncs the name of its log, too, but ignores an error.
    do throws(FileError) { try Folder.sync(directory) } catch {
      database.leaveLogOnClose()
      throw .file(error)
    }
    isLogDoubtful = hasLog && (try? database.emptyLog()) == nil
  }

  private static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size == 0
  }

  private static func hasLog(_ directory: String) -> Bool {
    var status = stat()
    return stat(directory + "/boards.db-wal", &status) == 0 && status.st_size > 0
  }

  /// Refuses an empty file beside what only a database can have left: SQLite would take it as new, and remove the log.
  private static func checkNotEmptied(_ directory: String) throws(StoreError) {
    guard isEmpty(directory + "/" + name) else { return }
    let hasContents = try hasContents(directory + "/contents")
    guard hasContents || hasLog(directory) else { return }
    throw .damaged("the database: the file is empty")
  }

  private static func hasContents(_ path: String) throws(StoreError) -> Bool {
    do throws(FileError) {
      guard let listing = try FolderListing(path) else { return false }
      while let name = try listing.next() {
        if ContentID(hex: name) != nil { return true }
      }
      return false
    } catch {
      throw .file(error)
    }
  }

  /// The process that has locked the file, which this one has no open database in.
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
  /// Whoever looks into the file from outside is waited for so long, in milliseconds.
  private static let patience = 2_000

  /// Checks whose file it is, sets how it is written, and brings it to this release's version.
  ///
  /// Exclusive locking spares every transaction six system calls: `StoreLock` has seen to it that no other daemon
  /// comes. FULL with a write-ahead log syncs once for every commit. Where entries are said to lie outside their page, SQLite
  /// looks for rows in what they are not, and finds none, if it is not told to check.
  fileprivate func prepareForBoards() throws(StoreError) {
    do throws(SQLiteError) {
      try execute(
        """
        PRAGMA busy_timeout = \(Self.patience); PRAGMA locking_mode = EXCLUSIVE;
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

extension Statements {
  fileprivate func indexEnd() throws(StoreError) -> UInt64 {
    let end: Int64
    do throws(SQLiteError) {
      end = try counter.first(IndexCounter.id) { $0.integer(0) } ?? 0
    } catch {
      throw StoreError(error)
    }
    guard Bounds.numbers ~= end else { throw .damaged("the index ends at row \(end)") }
    return UInt64(end)
  }

  fileprivate func hasTraces() throws(StoreError) -> Bool {
    do throws(SQLiteError) {
      return try counter.first(TraceCounter.id) { $0.integer(0) > 0 } ?? false
    } catch {
      throw StoreError(error)
    }
  }

  fileprivate func identity() throws(StoreError) -> (
    [UInt8], NumberSupply, NumberSupply, NumberSupply
  ) {
    let salt: [UInt8]?
    let rows, sessions, views: NumberSupply
    do throws(SQLiteError) {
      salt = try self.salt.first { Array($0.bytes(0)) }
      rows = try supply(.rows)
      sessions = try supply(.sessions)
      views = try supply(.views)
    } catch {
      throw StoreError(error)
    }
    guard let salt, salt.count == 16 else { throw .damaged("the salt is missing") }
    guard rows.isPlausible, sessions.isPlausible, views.isPlausible else {
      throw .damaged("a counter is beyond what can be counted")
    }
    return (salt, rows, sessions, views)
  }
}
