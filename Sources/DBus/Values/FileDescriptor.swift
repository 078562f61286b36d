import CDBus
import Glibc

/// One open file descriptor, closed with the last reference to this object.
public final class FileDescriptor: Sendable, Hashable {
  /// The number, good as long as this object is.
  public let number: Int32

  /// Takes over `number`, which nobody else closes from then on.
  public init(adopting number: Int32) { self.number = number }

  deinit { close(number) }

  /// Two are equal that are the same descriptor.
  public static func == (left: FileDescriptor, right: FileDescriptor) -> Bool { left === right }
  /// Hashes the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension FileDescriptor: BasicBusValue {
  /// `h`.
  public static var signature: Signature { Signature(unchecked: "h") }
  /// That of the number by which the message names it.
  public static var wireAlignment: Int { 4 }

  /// Reads a duplicate of the descriptor that came with the message.
  ///
  /// - Throws: `invalidArgs` where the message bears no such descriptor, `limitsExceeded` where the process has none left.
  public static func read(from reader: inout MessageReader) throws(DBusError) -> FileDescriptor {
    let number = reader.basic(Int32(-1))
    guard number >= 0 else {
      let spare = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
      guard spare >= 0 else {
        throw DBusError(.limitsExceeded, "there is no file descriptor left to receive one with")
      }
      Glibc.close(spare)
      throw DBusError(.invalidArgs, "fd: the message bears no such file descriptor")
    }
    return FileDescriptor(adopting: number)
  }

  /// Appends the descriptor.
  public func write(to writer: inout MessageWriter) { writer.descriptor(self) }
}
