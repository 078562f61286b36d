import CDBus
import Glibc

extension Message {
  /// Whether the message contains file descriptors that no argument refers to.
  ///
  /// O(bytes) for a message with descriptors.
  var hasSurplusDescriptors: Bool {
    guard bearsDescriptors else { return false }
    var iterator = DBusMessageIter()
    let named = dbus_message_iter_init(raw, &iterator) != 0 ? Self.namedDescriptors(&iterator) : 0
    return descriptorCount.map { $0 > named } ?? true
  }

  /// Returns the number of descriptors from the next value on, including nested values.
  ///
  /// The recursion is limited, because libdbus limits nesting to 64 levels.
  private static func namedDescriptors(_ iterator: inout DBusMessageIter) -> Int {
    var count = 0
    while case let type = dbus_message_iter_get_arg_type(&iterator), type != CDBUS_TYPE_INVALID {
      if type == CDBUS_TYPE_UNIX_FD { count += 1 }
      if dbus_type_is_container(type) != 0, !isOfFixedSize(&iterator, type) {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        count += namedDescriptors(&inner)
      }
      dbus_message_iter_next(&iterator)
    }
    return count
  }

  /// Returns whether the next value is an array of numbers, which may be long.
  static func isOfFixedSize(_ iterator: inout DBusMessageIter, _ type: Int32) -> Bool {
    guard type == CDBUS_TYPE_ARRAY else { return false }
    let element = dbus_message_iter_get_element_type(&iterator)
    return dbus_type_is_fixed(element) != 0 && element != CDBUS_TYPE_UNIX_FD
  }

  /// The number of descriptors in the message; nil if its header cannot be read.
  ///
  /// The number is in the header, which libdbus provides only as bytes.
  private var descriptorCount: Int? {
    var bytes: UnsafeMutablePointer<CChar>?
    var count: Int32 = 0
    guard dbus_message_marshal(raw, &bytes, &count) != 0, let bytes else { return nil }
    defer { dbus_free(bytes) }
    var reader = HeaderReader(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    return reader.descriptorCount()
  }
}

/// A reader of the bytes of a message's header.
///
/// Source: the D-Bus specification, "Message Format".
private struct HeaderReader {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Returns the value of the field UNIX_FDS: 0 without the field, nil for an invalid header.
  mutating func descriptorCount() -> Int? {
    place = 12
    guard let size = uint32() else { return nil }
    let end = place + Int(size)
    while place < end {
      align(to: 8)
      guard let code = byte(), byte() == 1, let type = byte(), byte() == 0 else { return nil }
      if code == 9, type == UInt8(ascii: "u") { return uint32().map(Int.init) }
      guard skipValue(of: type) else { return nil }
    }
    return 0
  }

  private mutating func skipValue(of type: UInt8) -> Bool {
    switch type {
    case UInt8(ascii: "u"): return uint32() != nil
    case UInt8(ascii: "g"): return byte().map { skip(Int($0) + 1) } ?? false
    case UInt8(ascii: "s"), UInt8(ascii: "o"): return uint32().map { skip(Int($0) + 1) } ?? false
    default: return false
    }
  }

  private mutating func align(to alignment: Int) { place += -place & (alignment - 1) }

  private mutating func skip(_ count: Int) -> Bool {
    place += count
    return place <= bytes.count
  }

  private mutating func byte() -> UInt8? {
    guard place < bytes.count else { return nil }
    defer { place += 1 }
    return bytes[place]
  }

  private mutating func uint32() -> UInt32? {
    align(to: 4)
    guard place + 4 <= bytes.count else { return nil }
    defer { place += 4 }
    let number = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
    return bytes[0] == UInt8(ascii: "B") ? UInt32(bigEndian: number) : UInt32(littleEndian: number)
  }
}
