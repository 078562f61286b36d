internal import Files
internal import Glibc

/// The data directory: its files and their permissions.
///
/// Only the user can access its files: directories have mode 0700, files 0600. Contents have 0400,
/// because they never change. The data directory itself may be a symbolic link; no name in it may
/// be one, so that a name never leads elsewhere.
package struct DataDirectory {
  let path: String

  /// Makes a value for the directory at a path; the directory need not exist.
  package init(path: String) { self.path = path }

  /// The files that the store opens by name.
  private static let files =
    [DataFiles.lock, DataFiles.damageNote, DataFiles.lostContents, DataFiles.database]
    + DataFiles.databaseSuffixes.map { DataFiles.database + $0 }

  /// Creates the directory if it is missing, locks it, checks its names and restricts their modes.
  ///
  /// - Throws: `StoreError`.
  package func take(
    timeout: Duration, _ report: (StoreEvent) -> Void
  ) throws(StoreError) -> StoreLock {
    try Directory.make(path, for: DataFiles.database)
    let lock = try StoreLock(directory: path, timeout: timeout)
    try check()
    narrow(report)
    return lock
  }

  /// Refuses a directory in which one of the store's names is not a regular file or a directory.
  ///
  /// Opening a FIFO would hang, and a device can have any effect.
  ///
  /// - Throws: `StoreError.unusable`, which names the path.
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

  /// Removes the permissions of group and others, and the execute permission of files.
  ///
  /// It affects all files of the store except contents, whose modes are restricted when they are
  /// swept. Other files in the directory do not change. If the system refuses, the mode does not
  /// change.
  func narrow(_ report: (StoreEvent) -> Void) {
    // The data directory itself may be a link.
    var status = stat()
    if stat(path, &status) == 0 { Self.narrow(path, status, report) }
    for name in Self.files + [DataFiles.contents] { Self.narrow(path + "/" + name, report) }
    for name in Self.names(in: path) where name.hasPrefix(DataFiles.damagedPrefix) {
      Self.narrowAll(in: path + "/" + name, report)
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

  /// Restricts the mode of a file or directory; it does not follow symbolic links.
  static func narrow(_ path: String, _ report: (StoreEvent) -> Void) {
    if let status = status(path) { narrow(path, status, report) }
  }

  private static func narrow(_ path: String, _ status: stat, _ report: (StoreEvent) -> Void) {
    let kind = status.st_mode & S_IFMT
    // A sticky directory is shared on purpose.
    guard kind == S_IFREG || kind == S_IFDIR, status.st_mode & S_ISVTX == 0 else { return }
    let mode = status.st_mode & (kind == S_IFDIR ? 0o700 : 0o600)
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
