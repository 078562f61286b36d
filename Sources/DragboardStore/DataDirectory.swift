internal import Files
internal import Glibc

/// The data directory: what may be in it, and who may read it.
///
/// All of it is the user's alone: directories have mode 0700, files 0600 (contents, which never
/// change, 0400). The data directory itself may be a symbolic link; nothing in it may be, so that a
/// name never leads elsewhere.
package struct DataDirectory {
  let path: String

  /// The directory at a path.
  package init(path: String) { self.path = path }

  /// The files that the store opens by name.
  private static let files =
    [DataFiles.lock, DataFiles.damageNote, DataFiles.lostContents, DataFiles.database]
    + DataFiles.databaseSuffixes.map { DataFiles.database + $0 }

  /// Makes the directory if it is missing, locks it, and checks and narrows what is in it.
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

  /// Refuses a directory in which a name of the store's is something else: opening a FIFO hangs, a
  /// device does anything.
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

  /// Takes the permissions of group and others, and those to execute files, from everything of the
  /// store's but the contents, which are narrowed when they are swept.
  ///
  /// Other files in the directory are left alone. If the system refuses, the mode stays.
  func narrow(_ report: (StoreEvent) -> Void) {
    // The data directory itself may be a link.
    var status = stat()
    if stat(path, &status) == 0 { Self.narrow(path, status, report) }
    for name in Self.files + [DataFiles.contents] { Self.narrow(path + "/" + name, report) }
    for name in Self.names(in: path) where name.hasPrefix(DataFiles.damagedPrefix) {
      Self.narrowAll(in: path + "/" + name, report)
    }
  }

  /// Narrows a directory and everything in it.
  private static func narrowAll(in directory: String, _ report: (StoreEvent) -> Void) {
    guard let status = status(directory), status.st_mode & S_IFMT == S_IFDIR else { return }
    narrow(directory, status, report)
    for name in names(in: directory) where name != "." && name != ".." {
      let path = directory + "/" + name
      narrow(path, report)
      narrowAll(in: path, report)
    }
  }

  /// Narrows a file or directory; a symbolic link is not followed.
  static func narrow(_ path: String, _ report: (StoreEvent) -> Void) {
    if let status = status(path) { narrow(path, status, report) }
  }

  private static func narrow(_ path: String, _ status: stat, _ report: (StoreEvent) -> Void) {
    let kind = status.st_mode & S_IFMT
    // A sticky directory is meant to be shared.
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
