import CDBus
public import Files

/// A value whose type is known only at run time: the content of a variant.
public indirect enum Value: Hashable, Sendable {
  /// `y`.
  case byte(UInt8)
  /// `b`.
  case boolean(Bool)
  /// `n`.
  case int16(Int16)
  /// `q`.
  case uint16(UInt16)
  /// `i`.
  case int32(Int32)
  /// `u`.
  case uint32(UInt32)
  /// `x`.
  case int64(Int64)
  /// `t`.
  case uint64(UInt64)
  /// `d`.
  case double(Double)
  /// `s`.
  case string(String)
  /// `o`.
  case objectPath(ObjectPath)
  /// `g`.
  case signature(Signature)
  /// `h`.
  case fileDescriptor(FileDescriptor)
  /// `v`.
  case variant(Value)
  /// `a…`: the type of the elements, which an empty array would not show, and the elements.
  case array(of: Signature, [Value])
  /// `a{…}`: the entries in the order of the wire.
  case dictionary(key: Signature, value: Signature, [Entry])
  /// `(…)`: at least one member.
  case structure([Value])

  /// An entry of a dictionary.
  public struct Entry: Hashable, Sendable {
    /// The key, of a basic type.
    public let key: Value
    /// The value, of any type.
    public let value: Value
    /// Creates an entry.
    public init(_ key: Value, _ value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// The type of the value: one complete type.
  public var signature: Signature {
    switch self {
    case .array(let element, _): Signature(unchecked: "a" + element.text)
    case .dictionary(let key, let value, _):
      Signature(unchecked: "a{" + key.text + value.text + "}")
    case .structure(let members):
      Signature(unchecked: "(" + members.map(\.signature.text).joined() + ")")
    default: content.map { type(of: $0).signature } ?? ""
    }
  }

  /// The value as a Swift type; nil for a container.
  var content: (any BusValue)? {
    switch self {
    case .byte(let value): value
    case .boolean(let value): value
    case .int16(let value): value
    case .uint16(let value): value
    case .int32(let value): value
    case .uint32(let value): value
    case .int64(let value): value
    case .uint64(let value): value
    case .double(let value): value
    case .string(let value): value
    case .objectPath(let value): value
    case .signature(let value): value
    case .fileDescriptor(let value): value
    case .variant(let value): Variant(value)
    case .array, .dictionary, .structure: nil
    }
  }
}

/// A D-Bus variant: a value with its type.
public struct Variant: BusValue, Hashable {
  /// The value.
  public let value: Value

  /// Creates a variant of `value`.
  public init(_ value: Value) { self.value = value }

  /// `v`.
  public static var signature: Signature { Signature(unchecked: "v") }
  /// The alignment of its signature.
  public static var wireAlignment: Int { 1 }

  /// Reads the value and its type.
  ///
  /// The recursion is limited, because libdbus limits nesting to 64 levels.
  public static func read(from reader: inout MessageReader) throws(DBusError) -> Variant {
    try reader.container { inner throws(DBusError) in Variant(try Value.read(from: &inner)) }
  }

  /// Appends the value and its type.
  public func write(to writer: inout MessageWriter) {
    writer.variant(of: value.signature) { value.write(to: &$0) }
  }
}
