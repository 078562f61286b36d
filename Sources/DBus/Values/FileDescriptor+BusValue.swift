import CDBus
public import Files
import Glibc

extension FileDescriptor: BasicBusValue {
  /// `h`.
  public static var signature: Signature { Signature(unchecked: "h") }
  /// The alignment of the index by which the message refers to the descriptor.
  public static var wireAlignment: Int { 4 }

  /// Reads a duplicate of a descriptor that arrived with the message.
  ///
  /// - Throws: `invalidArgs` if the message has no such descriptor; `limitsExceeded` if the process
  ///   has no free descriptor.
  public static func read(from reader: inout MessageReader) throws(DBusError) -> FileDescriptor {
    let number = reader.basic(Int32(-1))
    guard number >= 0 else {
      let spare = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
      guard spare >= 0 else {
        throw DBusError(
          .limitsExceeded, "fd: no free file descriptor is left to receive a descriptor")
      }
      Glibc.close(spare)
      throw DBusError(
        .invalidArgs,
        "fd: the message has no such file descriptor (expected a descriptor in the message)")
    }
    return FileDescriptor(adopting: number)
  }

  /// Appends the descriptor.
  public func write(to writer: inout MessageWriter) { writer.descriptor(self) }
}
