import CDBus
import Glibc

extension Message {
  /// The same message, for keeping: libdbus stops reading while what it has received and is not let go yet is too much.
  ///
  /// The corresponding C function is `dbus_message_copy`. O(bytes).
  public func copyToKeep() -> Message {
    guard let copy = dbus_message_copy(raw) else {
      // Memory is the one thing that libdbus may not get; a process that has none left cannot answer anybody.
      preconditionFailure("libdbus has no memory for a message")
    }
    dbus_message_set_serial(copy, serial)
    return Message(adopting: copy)
  }

  /// Whether descriptors are among its arguments, which are open for as long as it is there.
  public var bearsDescriptors: Bool { signature.text.utf8.contains(UInt8(ascii: "h")) }

  /// About how many bytes the arguments of a message are that was received.
  ///
  /// O(strings and containers in it).
  public var argumentByteCount: Int {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(raw, &iterator) != 0 else { return 0 }
    return Self.byteCount(from: &iterator)
  }

  /// About how many bytes the values at a level are, from the next one on; libdbus ends nesting at 64 levels.
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
    let element = type == CDBUS_TYPE_ARRAY ? dbus_message_iter_get_element_type(&iterator) : type
    dbus_message_iter_recurse(&iterator, &inner)
    guard type == CDBUS_TYPE_ARRAY, dbus_type_is_fixed(element) != 0, element != CDBUS_TYPE_UNIX_FD
    else { return byteCount(from: &inner) }
    var (start, length) = (UnsafeRawPointer?.none, Int32(0))
    dbus_message_iter_get_fixed_array(&inner, &start, &length)
    return Int(length) * (element == CDBUS_TYPE_BYTE ? 1 : 8)
  }
}
