internal import Glibc

extension FileDescriptor {
  /// How many bytes are read at once.
  private static let pieceSize = 256 << 10

  /// Shows the bytes from the first one on, piece by piece, until `body` returns false.
  ///
  /// - Returns: whether it got to the end.
  func forEachPiece(
    _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(FileError) -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while true {
      let count = pread(raw, buffer.baseAddress, buffer.count, off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileError(path: path) }
      guard count > 0 else { return true }
      guard body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return false }
      offset += count
    }
  }

  /// The `count` bytes from `offset` on; fewer where the file ends before, nil where they cannot be read.
  ///
  /// The corresponding C function is `pread`.
  func read(_ count: Int, at offset: Int) -> [UInt8]? {
    var isReadable = true
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, initialized in
      while initialized < buffer.count {
        let free = UnsafeMutableBufferPointer(rebasing: buffer[initialized...])
        let count = pread(raw, free.baseAddress, free.count, off_t(offset + initialized))
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
}
