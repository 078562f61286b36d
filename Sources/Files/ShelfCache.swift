internal import Glibc

/// The directory of the files that the shelf copies for drags.
///
/// A program that has received the address of such a file may read the file later, so the shelf
/// keeps the files for a day after the last drag. The command erases them, too, when it erases
/// rows.
///
/// The cache has a directory for each row or item, the *owner*, and each of these directories has
/// files. All directories have mode 0700, and all files 0600. A link in the cache is never
/// followed.
public struct ShelfCache: Sendable {
  /// The time for which files are kept after the last drag.
  public static let lifetime = Duration.seconds(24 * 60 * 60)

  /// The path of the cache.
  public let path: String
  private let directory: FileDescriptor

  /// The path of the user's cache: `$XDG_CACHE_HOME/dragboard-shelf`, or
  /// `~/.cache/dragboard-shelf`; nil if neither variable has an absolute path.
  public static var userPath: String? {
    Environment.directory(.cache).map { "\($0)/dragboard-shelf" }
  }

  /// Opens a cache.
  ///
  /// - Parameters:
  ///   - path: the absolute path of the cache.
  ///   - isCreated: whether to create a cache that does not exist.
  /// - Throws: `FileError` if the cache does not exist, is a symbolic link, or belongs to another
  ///   user.
  public init(_ path: String, isCreated: Bool = false) throws(FileError) {
    if isCreated { try Directories.create(path) }
    self.path = path
    directory = try Self.open(path, in: AT_FDCWD, named: path)
  }

  /// Opens a directory of this user, which is not a link, and corrects its mode.
  private static func open(
    _ name: String, in parent: Int32, named path: String
  ) throws(FileError) -> FileDescriptor {
    let number = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else { throw FileError(path: path) }
    let directory = FileDescriptor(adopting: number, path: path)
    var status = stat()
    guard fstat(number, &status) == 0 else { throw FileError(path: path) }
    guard status.st_uid == geteuid() else { throw FileError(path: path, code: EPERM) }
    if status.st_mode & 0o777 != 0o700, fchmod(number, 0o700) != 0 { throw FileError(path: path) }
    return directory
  }
}

/// Files.
extension ShelfCache {
  /// Creates a file.
  ///
  /// - Parameters:
  ///   - name: the file name.
  ///   - owner: the id of the row or the item.
  /// - Returns: the file. A power cut cannot damage the cache, so its commit need not be durable.
  /// - Throws: `FileError` if the system refuses it, or if the directory of the owner is a link.
  public func newFile(named name: String, of owner: String) throws(FileError) -> AtomicFile {
    guard mkdirat(directory.number, owner, 0o700) == 0 || errno == EEXIST else {
      throw FileError(path: "\(path)/\(owner)")
    }
    return try AtomicFile(
      Array(name.utf8CString),
      in: Self.open(owner, in: directory.number, named: "\(path)/\(owner)"),
      path: "\(path)/\(owner)/\(name)")
  }
}

/// Removal.
extension ShelfCache {
  /// The owners of the files.
  public var owners: [String] { (try? directory.names()) ?? [] }

  /// Deletes the files of all owners except some.
  public func remove(except kept: Set<String>) {
    for owner in owners where !kept.contains(owner) { remove(owner) }
  }

  /// Deletes the files that no drag has used for `lifetime`.
  ///
  /// - Parameter now: the time since 1970.
  public func removeExpired(at now: Duration) {
    for owner in owners {
      var status = stat()
      guard fstatat(directory.number, owner, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      // A new file changes the time of its directory.
      if .seconds(status.st_mtim.tv_sec) + Self.lifetime <= now { remove(owner) }
    }
  }

  private func remove(_ owner: String) {
    // This removes a link, but not a directory.
    if unlinkat(directory.number, owner, 0) == 0 { return }
    guard let files = try? Self.open(owner, in: directory.number, named: owner) else { return }
    for name in (try? files.names()) ?? [] { unlinkat(files.number, name, 0) }
    unlinkat(directory.number, owner, AT_REMOVEDIR)
  }
}
