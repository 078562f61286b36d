import DBus
import Files
import Glibc

extension FileDescriptor {
  convenience init(duplicating number: Int32) throws(DragboardError) {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw DragboardError(SystemError("fcntl")) }
    self.init(adopting: copy)
  }

  /// The size of the file in bytes.
  var byteCount: Int {
    get throws(DragboardError) {
      var status = stat()
      guard fstat(number, &status) == 0 else { throw DragboardError(SystemError("fstat")) }
      return Int(status.st_size)
    }
  }

  /// Reads bytes at `offset` without using the file's own offset; returns their number, 0 at the
  /// end.
  func read(
    from offset: Int, into piece: UnsafeMutableRawBufferPointer
  ) throws(DragboardError) -> Int {
    while true {
      let count = pread(number, piece.baseAddress, piece.count, offset)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw DragboardError(SystemError("pread")) }
      return count
    }
  }

  /// Calls `body` with all bytes, in order, in chunks of at most 1 MiB.
  func readAll(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { piece.deallocate() }
    var offset = 0
    while true {
      let count = try read(from: offset, into: piece)
      guard count > 0 else { return }
      try body(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      offset += count
    }
  }
}
