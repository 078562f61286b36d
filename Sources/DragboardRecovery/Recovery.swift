internal import DragboardStore
internal import Files
internal import Glibc
internal import SQLite

/// The recovery of a damaged database.
///
/// The damaged database is moved aside and never overwritten. A new database with all readable data
/// replaces it. The damaged files are moved to a new directory, `damaged-DATE`, together with the
/// contents that no recovered row needs. After a crash, the new database may be unfinished or
/// complete. The next start deletes an unfinished new database, and moves a complete one into
/// place.
struct Recovery {
  private let directory: String
  private let lock: StoreLock

  init(in directory: String, holding lock: StoreLock) {
    (self.directory, self.lock) = (directory, lock)
  }

  /// The names of the new database in the directory of a damaged one.
  private enum Name {
    /// The name of the new database until it is complete.
    static let unfinished = "unfinished.db"
    /// The name of the complete new database until it is moved to its final path.
    static let recovered = "recovered.db"
  }

  /// The files of the database.
  ///
  /// The main file is the last one, because the new database replaces it.
  private static let databaseFiles =
    DataFiles.databaseSuffixes.reversed().map { DataFiles.database + $0 } + [DataFiles.database]

  /// Completes or discards recoveries that an earlier process has begun.
  func resume() throws(StoreError) {
    try stated {
      for folder in try folders() {
        try discardUnfinished(in: folder)
        if try exists(folder + "/" + Name.recovered) { try replaceDatabase(in: folder) }
      }
    }
  }

  /// Recovers all readable data of the database.
  func run(because damage: String) throws(StoreError) -> RecoveryReport {
    let folder = try makeFolder()
    do throws(StoreError) {
      let report = try recover(into: folder, damage)
      try replaceDatabase(in: folder)
      return report
    } catch {
      try? discardUnfinished(in: folder)
      throw error
    }
  }

  private func recover(
    into folder: String, _ damage: String
  ) throws(StoreError) -> RecoveryReport {
    let new = folder + "/" + Name.unfinished
    return try stated {
      let image = try PageImage(database: directory + "/" + DataFiles.database)
      let counts = try RecoveredDatabase.make(new, of: image, holding: lock)
      let report = RecoveryReport(folder: folder, damage: damage, counts: counts)
      try write("\(report)\n", to: folder + "/" + DataFiles.report)
      try FileDescriptor(opening: new, O_RDONLY).syncData()
      try rename(new, to: folder + "/" + Name.recovered)
      try syncDirectory(folder)
      return report
    }
  }

  /// Translates errors into `StoreError`.
  private func stated<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
    do { return try body() } catch {
      switch error {
      case let error as StoreError: throw error
      case let error as FileError: throw .file(error)
      case let error as SQLiteError: throw .io(error)
      default: throw .damaged("\(error)")
      }
    }
  }
}

// MARK: Replacing

extension Recovery {
  private func replaceDatabase(in folder: String) throws(StoreError) {
    try stated {
      // An earlier process may have moved the new database, but not made its name durable.
      try syncDirectory(folder)
      try moveContents(to: folder)
      for name in [DataFiles.damageNote] + Self.databaseFiles {
        guard try exists(directory + "/" + name) else { continue }
        try rename(directory + "/" + name, to: folder + "/" + name)
      }
      try syncDirectory(folder)
      try syncDirectory(directory)
      try rename(folder + "/" + Name.recovered, to: directory + "/" + DataFiles.database)
      try syncDirectory(directory)
      try syncDirectory(folder)
    }
  }

  /// Moves the contents that the new database does not need to the directory of damaged files.
  ///
  /// These contents may belong to rows that could not be read.
  private func moveContents(to folder: String) throws {
    let contents = directory + "/" + DataFiles.contents
    let aside = folder + "/" + DataFiles.contents
    let needed = try neededContents(folder + "/" + Name.recovered)
    guard let listing = try DirectoryListing(contents) else { return }
    var names: [String] = []
    while let name = try listing.next() { names.append(name) }
    let unneeded = names.filter { name in
      ContentID(hex: name).map { !needed.contains($0) } ?? false
    }
    guard !unneeded.isEmpty else { return }
    try Directory.make(aside)
    for name in unneeded { try rename(contents + "/" + name, to: aside + "/" + name) }
    try syncDirectory(aside)
    try syncDirectory(contents)
  }

  private func neededContents(_ path: String) throws -> Set<ContentID> {
    // Check the file first, because SQLite would follow a link, and hang on a FIFO.
    _ = try FileDescriptor(opening: path, O_RDONLY)
    let database = try Database(path: path, holding: lock)
    var needed: Set<ContentID> = []
    try Statement(database, "SELECT data FROM representation WHERE file NOT NULL").forEach { row in
      if let id = ContentID(Array(row.bytes(0))) { needed.insert(id) }
    }
    return needed
  }
}

// MARK: Folders

extension Recovery {
  /// Returns the directories of damaged databases.
  private func folders() throws(FileError) -> [String] {
    guard let listing = try DirectoryListing(directory) else { return [] }
    var folders: [String] = []
    while let name = try listing.next() {
      var status = stat()
      let path = directory + "/" + name
      guard name.hasPrefix(DataFiles.damagedPrefix), lstat(path, &status) == 0,
        status.st_mode & S_IFMT == S_IFDIR
      else { continue }
      folders.append(path)
    }
    return folders
  }

  /// Creates a directory with the date in its name.
  private func makeFolder() throws(StoreError) -> String {
    var time = time(nil)
    var parts = tm()
    gmtime_r(&time, &parts)
    let date = String(unsafeUninitializedCapacity: 32) { buffer in
      buffer.withMemoryRebound(to: CChar.self) { buffer in
        buffer.baseAddress.map { strftime($0, buffer.count, "%Y-%m-%dT%H%M%SZ", &parts) } ?? 0
      }
    }
    let plain = directory + "/" + DataFiles.damagedPrefix + date
    var path = plain
    var number = 2
    while mkdir(path, 0o700) != 0 {
      guard errno == EEXIST else { throw .file(FileError(path: path)) }
      path = "\(plain)-\(number)"
      number += 1
    }
    // The mode must not depend on the umask.
    chmod(path, 0o700)
    do throws(FileError) { try syncDirectory(directory) } catch { throw .file(error) }
    return path
  }

  /// Removes an unfinished new database, and its directory if there is nothing else in it.
  private func discardUnfinished(in folder: String) throws(FileError) {
    let unfinished = folder + "/" + Name.unfinished
    let (isBegun, isReported) = (
      try exists(unfinished), try exists(folder + "/" + DataFiles.report)
    )
    guard isBegun || !isReported else { return }
    unlink(unfinished)
    guard try !exists(folder + "/" + DataFiles.database) else { return }
    unlink(folder + "/" + DataFiles.report)
    rmdir(folder)
  }

  private func exists(_ path: String) throws(FileError) -> Bool {
    guard access(path, F_OK) != 0 else { return true }
    guard errno == ENOENT else { throw FileError(path: path) }
    return false
  }

  private func rename(_ path: String, to other: String) throws(FileError) {
    guard Glibc.rename(path, other) == 0 else { throw FileError(path: other) }
  }

  private func write(_ text: String, to path: String) throws(FileError) {
    let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
    try Array(text.utf8).span.bytes.withUnsafeBytes { bytes throws(FileError) in
      try file.write(bytes)
    }
    try file.syncData()
  }

  private func syncDirectory(_ path: String) throws(FileError) {
    try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY).syncNames()
  }
}
