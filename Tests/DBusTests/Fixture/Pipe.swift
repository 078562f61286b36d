import DBus
import Files
import Foundation

/// A pipe of two descriptors.
struct Pipe {
  let read: FileDescriptor
  let write: FileDescriptor

  init() {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    read = FileDescriptor(adopting: ends[0])
    write = FileDescriptor(adopting: ends[1])
  }

  /// Writes one byte.
  func put() {
    var byte: UInt8 = 1
    _ = Foundation.write(write.number, &byte, 1)
  }
}
