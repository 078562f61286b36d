import CLinux
import DBus
import Glibc

/// Files in memory, to hand bytes out in.
enum MemoryFile {
  /// A file that holds these bytes for good, at the first one.
  ///
  /// Source: memfd_create(2), "File sealing".
  static func sealed(holding bytes: [UInt8]) throws(RepositoryError) -> FileDescriptor {
    let file = FileDescriptor(adopting: clinux_memfd_create("dragboard"))
    guard file.number >= 0 else { throw RepositoryError("\(SystemError("memfd_create"))") }
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes {
        pwrite(file.number, $0.baseAddress, $0.count, off_t(offset))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw RepositoryError("\(SystemError("write"))") }
      offset += count
    }
    guard clinux_seal(file.number) == 0 else { throw RepositoryError("\(SystemError("fcntl"))") }
    return file
  }
}
