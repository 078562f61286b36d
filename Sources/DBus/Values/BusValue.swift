/// A Swift type with a corresponding complete D-Bus type.
///
/// The signature depends only on the Swift type. So the types of a message are checked once, before
/// its values are read.
///
/// | D-Bus | Swift |
/// | --- | --- |
/// | `y` `b` `d` | `UInt8` `Bool` `Double` |
/// | `n` `q` `i` `u` `x` `t` | `Int16` `UInt16` `Int32` `UInt32` `Int64` `UInt64` |
/// | `s` `o` `g` | `String` `ObjectPath` `Signature` |
/// | `h` | `FileDescriptor` |
/// | `v` | `Variant` |
/// | `a…` `a{…}` `(…)` | `Array` `Dictionary` `Structure` |
///
/// Source: the D-Bus specification, "Type System".
public protocol BusValue: Sendable {
  /// The type on the wire: one complete type.
  static var signature: Signature { get }
  /// The alignment of a value on the wire, in bytes.
  static var wireAlignment: Int { get }
  /// Reads the next value, whose type has been checked.
  ///
  /// - Throws: `DBusError` if a value of the right type cannot be read. For example, a file
  ///   descriptor cannot be read if the process has no free descriptor.
  static func read(from reader: inout MessageReader) throws(DBusError) -> Self
  /// Appends the value.
  func write(to writer: inout MessageWriter)
  /// Reads the next value, an array of this type.
  static func readArray(from reader: inout MessageReader) throws(DBusError) -> [Self]
  /// Appends an array of this type.
  static func write(_ array: [Self], to writer: inout MessageWriter)
}

extension BusValue {
  /// Reads element by element.
  ///
  /// O(n).
  public static func readArray(from reader: inout MessageReader) throws(DBusError) -> [Self] {
    try reader.container { inner throws(DBusError) in
      var elements: [Self] = []
      while !inner.isAtEnd { elements.append(try read(from: &inner)) }
      return elements
    }
  }

  /// Appends element by element.
  ///
  /// O(n).
  @inlinable
  public static func write(_ array: [Self], to writer: inout MessageWriter) {
    writer.array(alignedTo: wireAlignment) { inner in
      for element in array { element.write(to: &inner) }
    }
  }
}

/// A type that may be the key of a dictionary: any basic type.
public protocol BasicBusValue: BusValue, Hashable {}
