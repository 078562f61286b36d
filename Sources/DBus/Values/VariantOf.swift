/// A variant of a value whose Swift type is known, written directly without a `Value`.
struct VariantOf<Content: BusValue>: BusValue {
  let content: Content

  init(_ content: Content) { self.content = content }

  static var signature: Signature { Variant.signature }
  static var wireAlignment: Int { Variant.wireAlignment }

  static func read(from reader: inout MessageReader) throws(DBusError) -> VariantOf<Content> {
    try reader.container { inner throws(DBusError) in
      guard inner.signature() == Content.signature else {
        throw DBusError(
          .invalidArgs,
          "the value is of type '\(inner.signature())' (expected '\(Content.signature)')")
      }
      return VariantOf(try Content.read(from: &inner))
    }
  }

  func write(to writer: inout MessageWriter) {
    writer.variant(of: Content.signature) { content.write(to: &$0) }
  }
}

extension Message {
  /// Reads the only argument, a variant, as a value of this type.
  ///
  /// - Throws: `invalidArgs` if the message has other arguments, or if the variant has another
  ///   type.
  public func content<Content: BusValue>(as type: Content.Type) throws(DBusError) -> Content {
    try arguments(as: VariantOf<Content>.self).content
  }
}
