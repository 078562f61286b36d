import CDBus

extension String: BasicBusValue {
  /// `s`.
  public static var signature: Signature { Signature(unchecked: "s") }
  /// Reads the text; libdbus has checked that it is UTF-8.
  public static func read(from reader: inout MessageReader) -> String { reader.string() }
  /// Appends the text, with U+FFFD for U+0000, which the bus cannot carry.
  public func write(to writer: inout MessageWriter) { writer.append(self) }
}

extension ObjectPath: BasicBusValue {
  /// `o`.
  public static var signature: Signature { Signature(unchecked: "o") }
  /// Reads the path; libdbus has checked it.
  public static func read(from reader: inout MessageReader) -> ObjectPath {
    ObjectPath(unchecked: reader.string())
  }
  /// Appends the path.
  public func write(to writer: inout MessageWriter) {
    writer.string(text, as: CDBUS_TYPE_OBJECT_PATH)
  }
}

extension Signature: BasicBusValue {
  /// `g`.
  public static var signature: Signature { Signature(unchecked: "g") }
  /// Reads the signature; libdbus has checked it.
  public static func read(from reader: inout MessageReader) -> Signature {
    Signature(unchecked: reader.string())
  }
  /// Appends the signature.
  public func write(to writer: inout MessageWriter) {
    writer.string(text, as: CDBUS_TYPE_SIGNATURE)
  }
}
