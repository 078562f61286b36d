extension Array: BusValue where Element: BusValue {
  /// `a` and the element's type.
  public static var signature: Signature {
    Signature(unchecked: "a" + Element.signature.text)
  }
  /// The alignment of the length.
  public static var wireAlignment: Int { 4 }
  /// Reads the array; at once if the elements have a fixed size.
  public static func read(from reader: inout MessageReader) throws(DBusError) -> [Element] {
    try Element.readArray(from: &reader)
  }
  /// Appends the array; at once if the elements have a fixed size.
  @inlinable
  public func write(to writer: inout MessageWriter) { Element.write(self, to: &writer) }
}

extension Dictionary: BusValue where Key: BasicBusValue, Value: BusValue {
  /// `a{…}` with the two types.
  public static var signature: Signature {
    Signature(unchecked: "a{" + Key.signature.text + Value.signature.text + "}")
  }
  /// The alignment of the length.
  public static var wireAlignment: Int { 4 }

  /// Reads the entries; if a key occurs twice, the later entry is used.
  public static func read(
    from reader: inout MessageReader
  ) throws(DBusError) -> [Key: Value] {
    try reader.container { inner throws(DBusError) in
      var entries: [Key: Value] = [:]
      while !inner.isAtEnd {
        try inner.container { entry throws(DBusError) in
          let key = try Key.read(from: &entry)
          entries[key] = try Value.read(from: &entry)
        }
      }
      return entries
    }
  }

  /// Appends the entries, in no particular order.
  public func write(to writer: inout MessageWriter) {
    writer.entries { entries in
      for (key, value) in self {
        entries.structure { entry in
          key.write(to: &entry)
          value.write(to: &entry)
        }
      }
    }
  }
}

/// A D-Bus struct: its members as a tuple.
public struct Structure<each Member: BusValue>: BusValue {
  /// The members, in order.
  public let members: (repeat each Member)

  /// Creates a struct of these members.
  @inlinable
  public init(_ members: repeat each Member) { self.members = (repeat each members) }

  /// The members' types in parentheses.
  public static var signature: Signature {
    var text = "("
    for member in repeat (each Member).signature { text += member.text }
    return Signature(unchecked: text + ")")
  }
  /// The alignment of every struct.
  @inlinable
  public static var wireAlignment: Int { 8 }

  /// Reads the members in order.
  public static func read(from reader: inout MessageReader) throws(DBusError) -> Self {
    try reader.container { inner throws(DBusError) in
      Self(repeat try (each Member).read(from: &inner))
    }
  }

  /// Appends the members in order.
  @inlinable
  public func write(to writer: inout MessageWriter) {
    writer.structure { inner in
      repeat (each members).write(to: &inner)
    }
  }
}
