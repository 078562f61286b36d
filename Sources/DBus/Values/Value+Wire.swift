extension Value {
  /// Reads the next value, which has this type, one complete type.
  static func read(
    _ type: Signature, from reader: inout MessageReader
  ) throws(DBusError) -> Value {
    var types = type.text.utf8[...]
    return try read(&types, from: &reader)
  }

  /// Reads a value of each of these types.
  static func readAll(
    _ types: Signature, from reader: inout MessageReader
  ) throws(DBusError) -> [Value] {
    var types = types.text.utf8[...]
    return try members(&types, from: &reader)
  }

  /// Reads a value of the first of these types, and removes this type.
  private static func read(
    _ types: inout Substring.UTF8View, from reader: inout MessageReader
  ) throws(DBusError) -> Value {
    switch types.popFirst().map(Unicode.Scalar.init) {
    case "y": .byte(.read(from: &reader))
    case "b": .boolean(.read(from: &reader))
    case "n": .int16(.read(from: &reader))
    case "q": .uint16(.read(from: &reader))
    case "i": .int32(.read(from: &reader))
    case "u": .uint32(.read(from: &reader))
    case "x": .int64(.read(from: &reader))
    case "t": .uint64(.read(from: &reader))
    case "d": .double(.read(from: &reader))
    case "s": .string(.read(from: &reader))
    case "o": .objectPath(.read(from: &reader))
    case "g": .signature(.read(from: &reader))
    case "h": .fileDescriptor(try .read(from: &reader))
    case "v": .variant(try Variant.read(from: &reader).value)
    case "(":
      .structure(
        try reader.structure { inner throws(DBusError) in try members(&types, from: &inner) })
    case "a": try array(&types, from: &reader)
    default: throw DBusError(.invalidArgs, "value: its type is unknown (expected a type of D-Bus)")
    }
  }

  /// Reads values up to the end of the types, or of a container's types, whose bracket is removed.
  private static func members(
    _ types: inout Substring.UTF8View, from reader: inout MessageReader
  ) throws(DBusError) -> [Value] {
    var members: [Value] = []
    while let type = types.first {
      guard type != UInt8(ascii: ")"), type != UInt8(ascii: "}") else {
        types.removeFirst()
        break
      }
      members.append(try read(&types, from: &reader))
    }
    return members
  }

  private static func array(
    _ types: inout Substring.UTF8View, from reader: inout MessageReader
  ) throws(DBusError) -> Value {
    let element = types.prefix(types.firstTypeCount)
    types.removeFirst(element.count)
    let type = Signature(unchecked: String(Substring(element)))
    guard element.first == UInt8(ascii: "{") else {
      return .array(
        of: type,
        try reader.array(alignedTo: type.alignment) { inner throws(DBusError) in
          var elements: [Value] = []
          while !inner.isAtEnd {
            var types = element
            elements.append(try read(&types, from: &inner))
          }
          return elements
        })
    }
    let entries = try reader.array(alignedTo: 8) { inner throws(DBusError) in
      var entries: [Entry] = []
      while !inner.isAtEnd {
        let pair = try inner.structure { entry throws(DBusError) in
          var types = element.dropFirst()
          return try members(&types, from: &entry)
        }
        entries.append(Entry(pair[0], pair[1]))
      }
      return entries
    }
    // A key has a basic type, which is one letter. So the rest is the type of the value.
    return .dictionary(
      key: Signature(unchecked: String(type.text.dropFirst().prefix(1))),
      value: Signature(unchecked: String(type.text.dropFirst(2).dropLast())), entries)
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

extension Substring.UTF8View {
  /// The number of characters of the first complete type in a signature.
  fileprivate var firstTypeCount: Int {
    var (count, depth) = (0, 0)
    for type in self {
      count += 1
      switch Unicode.Scalar(type) {
      case "(", "{": depth += 1
      case ")", "}": depth -= 1
      case "a": continue
      default: break
      }
      if depth == 0 { break }
    }
    return count
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
    case "x", "t", "d", "(", "{": 8
    default: 1
    }
  }
}
