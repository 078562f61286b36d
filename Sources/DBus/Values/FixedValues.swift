import CDBus

/// A basic type whose values and arrays have the same layout in Swift and on the wire.
protocol FixedBusValue: BasicBusValue, BitwiseCopyable {
  static var typeCode: Int32 { get }
  static var zero: Self { get }
}

extension FixedBusValue {
  /// The type code, one letter.
  public static var signature: Signature {
    Signature(unchecked: String(UnicodeScalar(UInt8(truncatingIfNeeded: typeCode))))
  }
  /// The size of the value.
  public static var wireAlignment: Int { MemoryLayout<Self>.size }
  /// Reads the value.
  public static func read(from reader: inout MessageReader) -> Self { reader.basic(zero) }
  /// Appends the value.
  public func write(to writer: inout MessageWriter) { writer.number(self) }
  /// Copies all elements at once.
  public static func readArray(from reader: inout MessageReader) -> [Self] {
    reader.fixedArray(of: Self.self) { Array($0) }
  }
  /// Copies all elements at once.
  ///
  /// The caller ensures that the array has at most 64 MiB on the wire.
  public static func write(_ array: [Self], to writer: inout MessageWriter) {
    array.withUnsafeBufferPointer { writer.array(of: $0) }
  }
}

extension UInt8: FixedBusValue { static var typeCode: Int32 { CDBUS_TYPE_BYTE } }
extension Int16: FixedBusValue { static var typeCode: Int32 { CDBUS_TYPE_INT16 } }
extension UInt16: FixedBusValue { static var typeCode: Int32 { CDBUS_TYPE_UINT16 } }
extension Int32: FixedBusValue { static var typeCode: Int32 { CDBUS_TYPE_INT32 } }
extension UInt32: FixedBusValue { static var typeCode: Int32 { CDBUS_TYPE_UINT32 } }
extension Int64: FixedBusValue { static var typeCode: Int32 { CDBUS_TYPE_INT64 } }
extension UInt64: FixedBusValue { static var typeCode: Int32 { CDBUS_TYPE_UINT64 } }
extension Double: FixedBusValue { static var typeCode: Int32 { CDBUS_TYPE_DOUBLE } }

extension Bool: BasicBusValue {
  /// `b`.
  public static var signature: Signature { Signature(unchecked: "b") }
  /// The alignment of 32 bits.
  public static var wireAlignment: Int { 4 }
  /// Reads 32 bits; 0 is false.
  public static func read(from reader: inout MessageReader) -> Bool {
    reader.basic(dbus_bool_t(0)) != 0
  }
  /// Appends 32 bits, 0 or 1.
  public func write(to writer: inout MessageWriter) { writer.number(UInt32(self ? 1 : 0)) }
}
