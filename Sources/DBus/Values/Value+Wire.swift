import CDBus

extension Value {
  /// Reads the next value of any type.
  static func read(from reader: inout MessageReader) throws(DBusError) -> Value {
    switch reader.type {
    case CDBUS_TYPE_BYTE: .byte(.read(from: &reader))
    case CDBUS_TYPE_BOOLEAN: .boolean(.read(from: &reader))
    case CDBUS_TYPE_INT16: .int16(.read(from: &reader))
    case CDBUS_TYPE_UINT16: .uint16(.read(from: &reader))
    case CDBUS_TYPE_INT32: .int32(.read(from: &reader))
    case CDBUS_TYPE_UINT32: .uint32(.read(from: &reader))
    case CDBUS_TYPE_INT64: .int64(.read(from: &reader))
    case CDBUS_TYPE_UINT64: .uint64(.read(from: &reader))
    case CDBUS_TYPE_DOUBLE: .double(.read(from: &reader))
    case CDBUS_TYPE_STRING: .string(.read(from: &reader))
    case CDBUS_TYPE_OBJECT_PATH: .objectPath(.read(from: &reader))
    case CDBUS_TYPE_SIGNATURE: .signature(.read(from: &reader))
    case CDBUS_TYPE_UNIX_FD: .fileDescriptor(try .read(from: &reader))
    case CDBUS_TYPE_VARIANT: .variant(try Variant.read(from: &reader).value)
    case CDBUS_TYPE_STRUCT: .structure(try members(of: &reader))
    case CDBUS_TYPE_ARRAY: try array(from: &reader)
    default: throw DBusError(.invalidArgs, "value: its type is unknown (expected a type of D-Bus)")
    }
  }

  private static func members(of reader: inout MessageReader) throws(DBusError) -> [Value] {
    try reader.container { inner throws(DBusError) in
      var members: [Value] = []
      while !inner.isAtEnd { members.append(try read(from: &inner)) }
      return members
    }
  }

  private static func array(from reader: inout MessageReader) throws(DBusError) -> Value {
    let type = reader.signature().text
    guard type.utf8.dropFirst().first == UInt8(ascii: "{") else {
      return .array(of: Signature(unchecked: String(type.dropFirst())), try members(of: &reader))
    }
    let entries = try reader.container { inner throws(DBusError) in
      var entries: [Entry] = []
      while !inner.isAtEnd {
        let pair = try members(of: &inner)
        entries.append(Entry(pair[0], pair[1]))
      }
      return entries
    }
    // A key has a basic type, which is one letter. So the rest is the type of the value.
    return .dictionary(
      key: Signature(unchecked: String(type.dropFirst(2).prefix(1))),
      value: Signature(unchecked: String(type.dropFirst(3).dropLast())), entries)
  }

  func write(to writer: inout MessageWriter) {
    switch self {
    case .array(let element, let values):
      writer.array(alignedTo: element.alignment) { Self.write(values, to: &$0) }
    case .structure(let members):
      writer.structure { Self.write(members, to: &$0) }
    case .dictionary(_, _, let entries):
      writer.entries { inner in
        for entry in entries { inner.structure { Self.write([entry.key, entry.value], to: &$0) } }
      }
    default: content?.write(to: &writer)
    }
  }

  private static func write(_ values: [Value], to writer: inout MessageWriter) {
    for value in values { value.write(to: &writer) }
  }
}

extension Signature {
  /// The alignment on the wire of a value with this type, one complete type.
  ///
  /// Source: the D-Bus specification, "Marshaling".
  fileprivate var alignment: Int {
    switch text.utf8.first.map(Unicode.Scalar.init) {
    case "n", "q": 2
    case "b", "i", "u", "s", "o", "h", "a": 4
    case "x", "t", "d", "(": 8
    default: 1
    }
  }
}
