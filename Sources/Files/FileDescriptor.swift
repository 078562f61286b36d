internal import CLinux
internal import Glibc

/// An open file descriptor, closed with the last reference to this object.
public final class FileDescriptor: Sendable {
  /// The number, valid as long as this object exists.
  public let number: Int32

  /// The name of the file in errors.
  public let path: String

  /// Adopts `number`, which no other code may close from then on.
  ///
  /// - Parameters:
  ///   - number: the descriptor.
  ///   - path: the name of the file in errors; "fd" if it has no path.
  public init(adopting number: Int32, path: String = "fd") {
    self.number = number
    self.path = path
  }

  /// Opens a regular file or, with `O_DIRECTORY`, a directory; the descriptor is close-on-exec.
  ///
  /// Refuses a symbolic link, and a FIFO or a device, which could hang. A created file has the mode
  /// regardless of the umask.
  ///
  /// The corresponding C function is `open`.
  public convenience init(
    opening path: String, _ flags: Int32, mode: UInt32 = 0
  ) throws(FileError) {
    try self.init(opening: Array(path.utf8CString), path: path, flags, mode: mode)
  }

  /// Opens a regular file or a directory whose path need not be UTF-8, as `init(opening:)` does.
  ///
  /// - Parameters:
  ///   - bytes: the path with a final zero.
  ///   - path: the path in errors.
  ///   - flags: the flags of `open`.
  ///   - mode: the permissions of a new file.
  /// - Throws: `FileError`.
  public init(
    opening bytes: [CChar], path: String, _ flags: Int32, mode: UInt32 = 0
  ) throws(FileError) {
    let isDirectory = flags & O_DIRECTORY != 0
    let added = isDirectory ? O_CLOEXEC : O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    var number: Int32
    repeat {
      number = open(bytes, flags | added, mode)
    } while number < 0 && errno == EINTR
    guard number >= 0 else {
      let isOtherKind = !isDirectory && [ELOOP, ENXIO, EISDIR].contains(errno)
      throw FileError(path: path, code: isOtherKind ? 0 : errno)
    }
    self.number = number
    self.path = path
    guard !isDirectory else { return }
    var status = stat()
    guard fstat(number, &status) == 0 else { throw FileError(path: path) }
    guard status.isRegularFile else { throw FileError(path: path, code: 0) }
    if status.st_mode & mode != mode { fchmod(number, mode) }
  }

  deinit { close(number) }

  /// Opens the same file for reading only, with a separate offset.
  ///
  /// Fails if the permissions do not allow it, or if it would have to wait for a lease.
  ///
  /// Source: proc(5), `/proc/pid/fd`; fcntl(2), "Leases".
  public func reopened() throws(FileError) -> FileDescriptor {
    // The path is a link, and `init(opening:)` does not follow links.
    let copy = open("/proc/self/fd/\(number)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard copy >= 0 else { throw FileError(path: path) }
    return FileDescriptor(adopting: copy, path: path)
  }
}

extension FileDescriptor: Hashable {
  /// Whether both are the same object.
  public static func == (one: FileDescriptor, other: FileDescriptor) -> Bool { one === other }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension FileDescriptor {
  /// Writes all bytes at the current offset.
  ///
  /// If this fails, some of the bytes may have been written.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = Glibc.write(number, part.baseAddress, part.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 || errno != EINTR {
        throw FileError(path: path, code: count == 0 ? EIO : errno)
      }
    }
  }

  /// Writes all bytes at the current offset.
  ///
  /// If this fails, some of the bytes may have been written.
  public func write(_ bytes: [UInt8]) throws(FileError) {
    try bytes.span.bytes.withUnsafeBytes { (bytes) throws(FileError) in try write(bytes) }
  }

  /// Copies the first `count` bytes to an empty file, inside the kernel if possible.
  ///
  /// The corresponding C functions are `ioctl_ficlone`, `copy_file_range`, and `pread` and `write`
  /// if both fail.
  public func copy(_ count: Int, to file: FileDescriptor) throws(FileError) {
    if clinux_clone(file.number, number) == 0 { return }
    var copied = 0
    while copied < count {
      let step = clinux_copy(file.number, number, off_t(copied), count - copied)
      guard step > 0 else { break }
      copied += step
    }
    guard lseek(file.number, off_t(copied), SEEK_SET) >= 0 else {
      throw FileError(path: file.path)
    }
    while copied < count {
      guard let piece = read(min(Self.pieceSize, count - copied), at: copied) else {
        throw FileError(path: path)
      }
      guard !piece.isEmpty else { throw FileError(path: path, code: EIO) }
      try file.write(piece)
      copied += piece.count
    }
  }

  /// Makes the bytes and their number durable.
  ///
  /// The corresponding C function is `fdatasync`.
  public func syncData() throws(FileError) {
    while fdatasync(number) != 0 {
      guard errno == EINTR else { throw FileError(path: path) }
    }
  }

  /// Starts to write bytes to the disk, so that `syncData` waits less; has no effect if the system
  /// does not support it.
  ///
  /// The corresponding C function is `sync_file_range`, with `SYNC_FILE_RANGE_WRITE`.
  public func beginWritingOut(_ bytes: Range<Int>) {
    _ = clinux_begin_writing_out(number, off_t(bytes.lowerBound), off_t(bytes.count))
  }

  /// Makes a directory's names durable.
  ///
  /// The corresponding C function is `fsync`. Does nothing on file systems that cannot sync a
  /// directory.
  public func syncNames() throws(FileError) {
    while fsync(number) != 0 {
      if errno == EINVAL { return }
      guard errno == EINTR else { throw FileError(path: path) }
    }
  }
}

extension stat {
  /// Whether this is the status of a regular file.
  package var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
}
