internal import CLinux
internal import Glibc
internal import Synchronization

/// A new file that gets its name only when it is complete.
///
/// Until `commit`, the file has a temporary name in the same directory, and an older file with the
/// name is unchanged. So a failed write, such as one on a full disk, damages nothing. After a crash,
/// the name has either the older file or the complete new file. The temporary file is removed with
/// the last reference to this object; if the process is killed before, it stays.
///
/// Several processes may write a file at once. The last of them wins.
public final class AtomicFile: Sendable {
  /// The path that the file has after `commit`.
  public let path: String
  /// The descriptor, open for reading and writing.
  public let descriptor: FileDescriptor

  private let directory: FileDescriptor
  private let name: [CChar]
  private let temporaryName: String
  private let hasName = Atomic(false)

  /// Creates an empty file under a temporary name.
  ///
  /// - Parameters:
  ///   - path: the path of the result. A symbolic link is replaced, not followed.
  ///   - mode: the permissions, regardless of the umask.
  /// - Throws: `FileError` if the file cannot be created.
  public convenience init(_ path: String, mode: UInt32 = 0o600) throws(FileError) {
    try self.init(bytes: Array(path.utf8CString), path: path, mode: mode)
  }

  /// Creates an empty file for a path that need not be UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: the path with a final zero.
  ///   - path: the path in errors.
  ///   - mode: the permissions, regardless of the umask.
  /// - Throws: `FileError` if the file cannot be created.
  public convenience init(
    bytes: [CChar], path: String, mode: UInt32 = 0o600
  ) throws(FileError) {
    let slash = bytes.lastIndex(of: CChar(UInt8(ascii: "/")))
    let parent = slash.map { bytes[...$0] + [0] } ?? Array(".".utf8CString)[...]
    // The user may write in a directory without permission to list it.
    let number = parent.withUnsafeBufferPointer { parent in
      parent.baseAddress.map { clinux_open_directory(AT_FDCWD, $0) } ?? -1
    }
    guard number >= 0 else { throw FileError(path: path) }
    try self.init(
      Array(bytes[(slash.map { $0 + 1 } ?? 0)...]),
      in: FileDescriptor(adopting: number, path: path), path: path, mode: mode)
  }

  /// Creates an empty file in an open directory.
  init(
    _ name: [CChar], in directory: FileDescriptor, path: String, mode: UInt32 = 0o600
  ) throws(FileError) {
    temporaryName = Self.prefix + String(UInt64.random(in: .min ... .max), radix: 16)
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let number = openat(directory.number, temporaryName, flags, mode)
    guard number >= 0 else { throw FileError(path: path) }
    descriptor = FileDescriptor(adopting: number, path: path)
    (self.path, self.name, self.directory) = (path, name, directory)
    guard fchmod(number, mode) == 0 else { throw FileError(path: path) }
  }

  deinit {
    if !hasName.load(ordering: .relaxed) { unlinkat(directory.number, temporaryName, 0) }
  }

  /// Gives the file its name; it replaces an older file.
  ///
  /// A program that reads the older file is not disturbed.
  ///
  /// - Parameter isDurable: whether to sync the file before and the directory after the change. If
  ///   it is false, a power cut can leave an empty file.
  /// - Throws: `FileError`. If only the sync of the directory fails, the file has its name.
  public func commit(isDurable: Bool = true) throws(FileError) {
    if isDurable { try descriptor.syncData() }
    let result = name.withUnsafeBufferPointer { name in
      name.baseAddress.map { renameat(directory.number, temporaryName, directory.number, $0) }
    }
    guard result == 0 else { throw FileError(path: path) }
    hasName.store(true, ordering: .relaxed)
    if isDurable { try syncName() }
  }

  private func syncName() throws(FileError) {
    let number = openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A directory that the user may not list cannot be synced.
    if number < 0, errno == EACCES { return }
    guard number >= 0 else { throw FileError(path: path) }
    try FileDescriptor(adopting: number, path: path).syncNames()
  }
}

extension AtomicFile {
  /// Replaces a file by new bytes.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - path: the path of the file. A symbolic link is replaced, not followed.
  ///   - mode: the permissions, regardless of the umask.
  ///   - isDurable: whether the new file is durable when the function returns. If it is false, a
  ///     power cut can leave an empty file.
  /// - Throws: `FileError`; the older file is then unchanged, except if only the sync of the
  ///   directory failed.
  public static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600, isDurable: Bool = true
  ) throws(FileError) {
    let file = try AtomicFile(path, mode: mode)
    try file.descriptor.write(bytes)
    try file.commit(isDurable: isDurable)
  }

  /// Begins the names of temporary files, which are hidden.
  private static let prefix = ".dragboard-"

  /// Removes the temporary files that killed processes have left in a directory.
  ///
  /// No other process may be writing a file in the directory.
  public static func removeLeftovers(in path: String) {
    guard let directory = try? FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY) else { return }
    for name in (try? directory.names()) ?? [] where name.hasPrefix(prefix) {
      unlinkat(directory.number, name, 0)
    }
  }
}
