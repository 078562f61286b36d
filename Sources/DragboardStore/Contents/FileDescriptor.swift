internal import CLinux
internal import Glibc

/// Exactly one descriptor of an open file, closed when the value ends.
struct FileDescriptor: ~Copyable {
  let path: String
  private(set) var raw: Int32

  /// Opens a file, which an exec closes.
  ///
  /// The corresponding C function is `open`.
  init(opening path: String, _ flags: Int32, mode: mode_t = 0) throws(FileError) {
    self.path = path
    repeat {
      raw = open(path, flags | O_CLOEXEC, mode)
    } while raw < 0 && errno == EINTR
    guard raw >= 0 else { throw FileError(path: path) }
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

  /// The number of bytes in a file; what is no file has none.
  func byteCount() throws(FileError) -> Int {
    var status = stat()
    guard fstat(raw, &status) == 0 else { throw FileError(path: path) }
    return status.isRegularFile ? Int(status.st_size) : 0
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
