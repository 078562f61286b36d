public import DBus
public import Files

/// The bytes of a representation in a call of InsertItem: a variant that contains a text, bytes or
/// a file.
///
/// The bytes of an array are read at once. As a `Value`, each byte would need the memory of a word.
public enum WireContent: BusValue {
  /// A text, `s`.
  case text(String)
  /// Bytes, `ay`.
  case data([UInt8])
  /// A file, `h`.
  case file(FileDescriptor)

  /// The signature of a variant, `v`.
  public static var signature: Signature { Variant.signature }
  /// The alignment of a variant.
  public static var wireAlignment: Int { Variant.wireAlignment }

  /// Reads a variant.
  ///
  /// - Throws: InvalidArgs if the variant contains a value of another type.
  public static func read(from reader: inout MessageReader) throws(DBusError) -> WireContent {
    try reader.container { inner throws(DBusError) in
      switch inner.signature() {
      case String.signature: return .text(.read(from: &inner))
      case [UInt8].signature: return .data(try .read(from: &inner))
      case FileDescriptor.signature: return .file(try .read(from: &inner))
      case let other:
        throw DBusError(
          .invalidArgs, "representations: a value of type '\(other)' (expected s, ay or h)")
      }
    }
  }

  /// Appends a variant.
  public func write(to writer: inout MessageWriter) {
    switch self {
    case .text(let text): writer.variant(of: String.signature) { text.write(to: &$0) }
    case .data(let data): writer.variant(of: [UInt8].signature) { data.write(to: &$0) }
    case .file(let file): writer.variant(of: FileDescriptor.signature) { file.write(to: &$0) }
    }
  }
}
