extension Array: BusValue where Element: BusValue {
  /// `a` and the element's type.
  public static var signature: Signature {
    Signature(unchecked: "a" + Element.signature.text)
  }
  /// Reads the array; at once where the elements have a fixed size.
  public static func read(from reader: inout MessageReader) throws(DBusError) -> [Element] {
    try Element.readArray(from: &reader)
  }
  /// Appends the array; at once where the elements have a fixed size.
  public func write(to writer: inout MessageWriter) { Element.write(self, to: &writer) }
}

extension Dictionary: BusValue where Key: BasicBusValue, Value: BusValue {
  /// `a{…}` of the two types.
  public static var signature: Signature { Signature(unchecked: "a" + entrySignature.text) }

  /// The type of one entry, which is no complete type and so no literal.
  static var entrySignature: Signature {
    Signature(unchecked: "{" + Key.signature.text + Value.signature.text + "}")
  }

  /// Reads the entries; of two with one key the later counts.
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
    writer.container(CDBusType.array, of: Self.entrySignature) { inner in
      for (key, value) in self {
        inner.container(CDBusType.dictionaryEntry) { entry in
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

  /// A struct of these members.
  public init(_ members: repeat each Member) { self.members = (repeat each members) }

  /// The members' types in parentheses.
  public static var signature: Signature {
    var text = "("
    for member in repeat (each Member).signature { text += member.text }
    return Signature(unchecked: text + ")")
  }

  /// Reads the members in order.
  public static func read(from reader: inout MessageReader) throws(DBusError) -> Self {
    try reader.container { inner throws(DBusError) in
      Self(repeat try (each Member).read(from: &inner))
    }
  }

  /// Appends the members in order.
  public func write(to writer: inout MessageWriter) {
    writer.container(CDBusType.structure) { inner in
      repeat (each members).write(to: &inner)
    }
  }
}
