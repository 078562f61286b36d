internal import Glibc

extension FileDescriptor {
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
