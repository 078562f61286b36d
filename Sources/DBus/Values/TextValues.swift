extension String: BasicBusValue {
  /// `s`.
  public static var signature: Signature { Signature(unchecked: "s") }
  /// The alignment of the length.
  public static var wireAlignment: Int { 4 }
  /// Reads the text; libdbus has checked that it is UTF-8.
  public static func read(from reader: inout MessageReader) -> String { reader.string() }
  /// Appends the text, with U+FFFD for U+0000, which the bus cannot carry.
  public func write(to writer: inout MessageWriter) { writer.append(self) }
}

extension ObjectPath: BasicBusValue {
  /// `o`.
  public static var signature: Signature { Signature(unchecked: "o") }
  /// The alignment of the length.
  public static var wireAlignment: Int { 4 }
  /// Reads the path; libdbus has checked it.
  public static func read(from reader: inout MessageReader) -> ObjectPath {
    ObjectPath(unchecked: reader.string())
  }
  /// Appends the path.
  public func write(to writer: inout MessageWriter) { writer.append(text) }
}

extension Signature: BasicBusValue {
  /// `g`.
  public static var signature: Signature { Signature(unchecked: "g") }
  /// The alignment of the length, a byte.
  public static var wireAlignment: Int { 1 }
  /// Reads the signature; libdbus has checked it.
  public static func read(from reader: inout MessageReader) -> Signature {
    Signature(unchecked: reader.string())
  }
  /// Appends the signature.
  public func write(to writer: inout MessageWriter) { writer.signature(self) }
}
