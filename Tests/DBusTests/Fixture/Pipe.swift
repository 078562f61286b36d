import DBus
import Files
import Foundation

/// A pipe of two descriptors.
struct Pipe {
  let read: FileDescriptor
  let write: FileDescriptor

  init() throws {
    (read, write) = try FileDescriptor.makePipe()
  }

  /// Writes one byte.
  func put() {
    var byte: UInt8 = 1
    _ = Foundation.write(write.number, &byte, 1)
  }
}
