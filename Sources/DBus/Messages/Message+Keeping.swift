import CDBus
import Glibc

extension Message {
  /// Returns a copy of the message that can be stored.
  ///
  /// libdbus stops reading as long as the received messages that exist exceed a limit. Copies do
  /// not count.
  ///
  /// The corresponding C function is `dbus_message_copy`. O(bytes).
  ///
  /// - Throws: `limitsExceeded` if no descriptor is free to duplicate a descriptor of the message.
  public func copyToKeep() throws(DBusError) -> Message {
    guard let raw = dbus_message_copy(raw) else {
      throw DBusError(
        .limitsExceeded, "fd: no free file descriptor is left to copy a descriptor of the call")
    }
    dbus_message_set_serial(raw, serial)
    return Message(adopting: raw)
  }

  /// Whether the message contains file descriptors, which stay open as long as it exists.
  ///
  /// The corresponding C function is `dbus_message_contains_unix_fds`.
  public var bearsDescriptors: Bool { dbus_message_contains_unix_fds(raw) != 0 }

  /// The approximate memory of a stored message in bytes, for its arguments, its names and its
  /// path.
  ///
  /// O(arguments): no array is traversed.
  public var byteCountToKeep: Int {
    let names = [
      dbus_message_get_path(raw), dbus_message_get_interface(raw), dbus_message_get_member(raw),
    ]
    let header = names.reduce(Self.minByteCountToKeep) { $0 + ($1.map { strlen($0) } ?? 0) }
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(raw, &iterator) != 0 else { return header }
    return header + Self.byteCount(from: &iterator)
  }

  /// The approximate memory that libdbus allocates for the smallest message, in bytes.
  private static let minByteCountToKeep = 512

  /// Returns the approximate size of the values from the next value on, including nested values.
  ///
  /// The recursion is limited, because libdbus limits nesting to 64 levels.
  private static func byteCount(from iterator: inout DBusMessageIter) -> Int {
    var count = 0
    while case let type = dbus_message_iter_get_arg_type(&iterator), type != CDBUS_TYPE_INVALID {
      count += byteCount(ofNext: &iterator, type)
      dbus_message_iter_next(&iterator)
    }
    return count
  }

  private static func byteCount(ofNext iterator: inout DBusMessageIter, _ type: Int32) -> Int {
    if dbus_type_is_container(type) != 0 { return 8 + byteCount(within: &iterator, type) }
    guard [CDBUS_TYPE_STRING, CDBUS_TYPE_OBJECT_PATH, CDBUS_TYPE_SIGNATURE].contains(type) else {
      return 8
    }
    var text: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &text)
    return 8 + (text.map { strlen($0) } ?? 0)
  }

  private static func byteCount(within iterator: inout DBusMessageIter, _ type: Int32) -> Int {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    return type == CDBUS_TYPE_ARRAY
      ? Int(cdbus_array_byte_count(&inner)) : byteCount(from: &inner)
  }
}
