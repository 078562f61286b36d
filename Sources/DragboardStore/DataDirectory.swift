internal import Files
internal import Glibc

/// The data directory: its files and their permissions.
///
/// Only the user can access its files. Directories have mode 0700, and files have mode 0600.
/// Contents have mode 0400, because they never change. The data directory itself may be a symbolic
/// link. The entries of the directory may not be links, so that they never refer to files
/// elsewhere.
package struct DataDirectory {
  let path: String

  /// Creates a value for the directory at a path.
  ///
  /// The directory need not exist.
  package init(path: String) { self.path = path }

  /// The names of the files that the store opens.
  private static let files =
    [DataFiles.lock, DataFiles.damageNote, DataFiles.lostContents, DataFiles.database]
    + DataFiles.databaseSuffixes.map { DataFiles.database + $0 }

  /// Creates the directory if it is missing, and locks it.
  ///
  /// Then it checks the files and restricts their modes. A separate thread restricts the modes of
  /// contents, because there can be many.
  ///
  /// - Throws: `StoreError`.
  package func take(
    timeout: Duration, _ report: @escaping @Sendable (StoreEvent) -> Void
  ) throws(StoreError) -> StoreLock {
    try Directory.make(path, for: DataFiles.database)
    let lock = try StoreLock(directory: path, timeout: timeout)
    try check()
    narrow(report)
    let (contents, earlierOwner) = (path + "/" + DataFiles.contents, lock.earlierOwner)
    let rest = { @Sendable in
      Self.narrowContents(in: contents, report)
      if let earlierOwner, HungProcess.isHung(earlierOwner) { report(.hungOwner(earlierOwner)) }
    }
    do throws(SystemError) { try DetachedThread.start(stackSize: 128 << 10, rest) } catch { rest() }
    return lock
  }

  /// Refuses a directory in which a file of the store has the wrong kind.
  ///
  /// Opening a FIFO would hang, and opening a device can have any effect.
  ///
  /// - Throws: `StoreError.unusable` with the path of the file.
  func check() throws(StoreError) {
    for name in Self.files { try check(name, is: S_IFREG, "a regular file") }
    try check(DataFiles.contents, is: S_IFDIR, "a directory")
  }

  private func check(
    _ name: String, is kind: mode_t, _ expected: String
  ) throws(StoreError) {
    let path = path + "/" + name
    guard let status = Self.status(path), status.st_mode & S_IFMT != kind else { return }
    throw .unusable(path: path, reason: "not \(expected)")
  }

  /// Removes the permissions of the group and of others, and the execute permission of files.
  ///
  /// It changes all files of the store except contents. It ignores other files in the directory. If
  /// the system refuses a change, the mode stays.
  func narrow(_ report: (StoreEvent) -> Void) {
    // Use `stat` instead of `lstat`, because the data directory itself may be a link.
    var status = stat()
    if stat(path, &status) == 0 { Self.narrow(path, status, report) }
    for name in Self.files + [DataFiles.contents] { Self.narrow(path + "/" + name, report) }
    for name in Self.names(in: path) where name.hasPrefix(DataFiles.damagedPrefix) {
      Self.narrowAll(in: path + "/" + name, report)
    }
  }

  /// Restricts the modes of the contents in a directory.
  private static func narrowContents(in directory: String, _ report: (StoreEvent) -> Void) {
    for name in names(in: directory) where ContentID(hex: name) != nil {
      narrow(directory + "/" + name, fileMode: 0o400, report)
    }
  }

  /// Restricts the modes of a directory and of everything in it.
  private static func narrowAll(in directory: String, _ report: (StoreEvent) -> Void) {
    guard let status = status(directory), status.st_mode & S_IFMT == S_IFDIR else { return }
    narrow(directory, status, report)
    for name in names(in: directory) where name != "." && name != ".." {
      let path = directory + "/" + name
      narrow(path, report)
      narrowAll(in: path, report)
    }
  }

  /// Restricts the mode of a file or directory.
  ///
  /// It does not follow symbolic links.
  private static func narrow(
    _ path: String, fileMode: mode_t = 0o600, _ report: (StoreEvent) -> Void
  ) {
    if let status = status(path) { narrow(path, status, fileMode: fileMode, report) }
  }

  private static func narrow(
    _ path: String, _ status: stat, fileMode: mode_t = 0o600, _ report: (StoreEvent) -> Void
  ) {
    let kind = status.st_mode & S_IFMT
    // The sticky bit means that a directory is shared on purpose, like /tmp. So its mode stays.
    guard kind == S_IFREG || kind == S_IFDIR, status.st_mode & S_ISVTX == 0 else { return }
    let mode = status.st_mode & (kind == S_IFDIR ? 0o700 : fileMode)
    guard mode != status.st_mode & 0o777 else { return }
    guard chmod(path, mode) == 0 else { return }
    report(.narrowed(path: path, from: UInt32(status.st_mode & 0o777), to: UInt32(mode)))
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }

  private static func names(in directory: String) -> [String] {
    var names: [String] = []
    guard let listing = try? DirectoryListing(directory) else { return [] }
    while let name = try? listing.next() { names.append(name) }
    return names
  }
}
