internal import CLinux
internal import Glibc

/// Exactly one descriptor of an open file, closed when the value ends.
struct FileDescriptor: ~Copyable {
  let path: String
  private(set) var raw: Int32

  /// Opens a regular file, or with `O_DIRECTORY` a directory; an exec closes it.
  ///
  /// A symbolic link is refused, and so is a FIFO or a device, which could hang. A file that is
  /// created has the mode whatever the umask.
  ///
  /// The corresponding C function is `open`.
  init(opening path: String, _ flags: Int32, mode: mode_t = 0) throws(FileError) {
    self.path = path
    let isDirectory = flags & O_DIRECTORY != 0
    let added = isDirectory ? O_CLOEXEC : O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    repeat {
      raw = open(path, flags | added, mode)
    } while raw < 0 && errno == EINTR
    guard raw >= 0 else {
      let isOtherKind = !isDirectory && [ELOOP, ENXIO, EISDIR].contains(errno)
      throw FileError(path: path, code: isOtherKind ? 0 : errno)
    }
    guard !isDirectory else { return }
    var status = stat()
    guard fstat(raw, &status) == 0 else { throw FileError(path: path) }
    guard status.isRegularFile else { throw FileError(path: path, code: 0) }
    if status.st_mode & mode != mode { fchmod(raw, mode) }
  }

  /// Takes over `raw`, a descriptor of the file at `path`.
  init(adopting raw: Int32, path: String) {
    self.path = path
    self.raw = raw
  }

  deinit { if raw >= 0 { close(raw) } }

  /// Hands the descriptor over to the caller, who closes it.
  consuming func release() -> Int32 {
    defer { raw = -1 }
    return raw
  }

  /// Writes all of the bytes where the last write has ended.
  ///
  /// Where it fails, some of them may have been written.
  func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = Glibc.write(raw, part.baseAddress, part.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 || errno != EINTR {
        throw FileError(path: path, code: count == 0 ? EIO : errno)
      }
    }
  }

  /// The next `count` bytes; fewer where the file ends before.
  func readPrefix(_ count: Int) throws(StoreError) -> [UInt8] {
    var failure: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, initialized in
      while initialized < buffer.count {
        let free = buffer[initialized...]
        let count = Glibc.read(
          raw, UnsafeMutableBufferPointer(rebasing: free).baseAddress, free.count)
        if count == 0 { return }
        if count > 0 {
          initialized += count
        } else if errno != EINTR {
          failure = errno
          return
        }
      }
    }
    if let failure { throw .file(FileError(path: path, code: failure)) }
    return bytes
  }

  /// The number of bytes in the file.
  func byteCount() throws(FileError) -> Int {
    var status = stat()
    guard fstat(raw, &status) == 0 else { throw FileError(path: path) }
    return Int(status.st_size)
  }

  /// Makes the bytes and their number durable.
  ///
  /// The corresponding C function is `fdatasync`.
  func syncData() throws(FileError) {
    while fdatasync(raw) != 0 {
      guard errno == EINTR else { throw FileError(path: path) }
    }
  }

  /// Has bytes begin to go to the disk, so that `syncData` waits less; where the system does not, nothing is lost.
  ///
  /// The corresponding C function is `sync_file_range`, with `SYNC_FILE_RANGE_WRITE`.
  func beginWritingOut(_ bytes: Range<Int>) {
    _ = clinux_begin_writing_out(raw, off_t(bytes.lowerBound), off_t(bytes.count))
  }

  /// Makes a folder's names durable.
  ///
  /// The corresponding C function is `fsync`. File systems that cannot sync a folder are taken as they are.
  func syncNames() throws(FileError) {
    while fsync(raw) != 0 {
      if errno == EINVAL { return }
      guard errno == EINTR else { throw FileError(path: path) }
    }
  }
}

extension stat {
  var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
}
