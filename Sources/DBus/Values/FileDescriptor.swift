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

  /// Reads a duplicate of the descriptor that came with the message.
  ///
  /// - Throws: `limitsExceeded` where the process has no descriptor left.
  public static func read(from reader: inout MessageReader) throws(DBusError) -> FileDescriptor {
    let number = reader.basic(Int32(-1))
    guard number >= 0 else {
      throw DBusError(.limitsExceeded, "there is no file descriptor left to receive one with")
    }
    return FileDescriptor(adopting: number)
  }

  /// Appends the descriptor; libdbus duplicates it.
  public func write(to writer: inout MessageWriter) {
    writer.basic(number, as: CDBUS_TYPE_UNIX_FD)
  }
}
