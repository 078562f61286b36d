internal import Glibc

extension FileDescriptor {
  /// The number of bytes in one read.
  public static let pieceSize = 256 << 10

  /// The number of bytes in the file.
  public func byteCount() throws(FileError) -> Int {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw FileError(path: path) }
    return Int(status.st_size)
  }

  /// Calls `body` with the bytes in order, piece by piece, until it returns false.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes.
  ///   - body: called with the next bytes; returns false to stop.
  /// - Returns: whether all bytes up to the limit were read.
  /// - Throws: `FileError` if the file cannot be read.
  @discardableResult
  public func forEachPiece(
    upTo limit: Int = .max, _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(FileError) -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(Self.pieceSize, max(1, limit)), alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while offset < limit {
      let count = pread(
        number, buffer.baseAddress, min(buffer.count, limit - offset), off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileError(path: path) }
      guard count > 0 else { return true }
      guard body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return false }
      offset += count
    }
    return true
  }

  /// Returns the `count` bytes from `offset` on; fewer if the file ends before, nil if they cannot
  /// be read.
  ///
  /// The corresponding C function is `pread`.
  public func read(_ count: Int, at offset: Int) -> [UInt8]? {
    var isReadable = true
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, initialized in
      while initialized < buffer.count {
        let free = UnsafeMutableBufferPointer(rebasing: buffer[initialized...])
        let count = pread(number, free.baseAddress, free.count, off_t(offset + initialized))
        if count == 0 { return }
        if count > 0 {
          initialized += count
        } else if errno != EINTR {
          isReadable = false
          return
        }
      }
    }
    return isReadable ? bytes : nil
  }

  /// Returns the first `count` bytes; fewer if the file has fewer.
  public func readPrefix(_ count: Int) throws(FileError) -> [UInt8] {
    guard let bytes = read(count, at: 0) else { throw FileError(path: path) }
    return bytes
  }
}

extension FileDescriptor {
  /// Returns the names in a directory, without `.` and `..`, in any order.
  ///
  /// The corresponding C function is `readdir`.
  public func names() throws(FileError) -> [String] {
    // The stream needs a descriptor with a separate offset, which it closes.
    let copy = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw FileError(path: path) }
    guard let stream = fdopendir(copy) else {
      let code = errno
      close(copy)
      throw FileError(path: path, code: code)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      // The entry has only the bytes up to the end of the name, so `d_name` must not be copied as a
      // whole.
      let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      let name = String(cString: start)
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw FileError(path: path) }
    return names
  }
}
