import DragModel

/// The names that denote a plain text on a clipboard.
///
/// An owner offers the same text under several names. They become one representation in UTF-8.
public enum TextTarget {
  /// The names, best first: a request uses the first name in this list that the owner offers.
  ///
  /// The first two names declare UTF-8. The text of the others is in Latin-1, or its encoding is
  /// not declared.
  static let names = [
    "text/plain;charset=utf-8", "utf8_string", "text/plain", "string", "text", "compound_text",
  ]

  /// The names under which the bridge offers a text.
  public static let offered = [
    "text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "STRING", "TEXT",
  ]

  /// Returns the rank of a name; nil if it does not denote a plain text.
  static func rank(of name: String) -> Int? {
    let name = name.lowercased()
    return names.firstIndex(of: name)
      ?? ((try? MIMEType(parsing: name)) == .plainText ? 0 : nil)
  }

  /// Converts a text, or a part of it, to UTF-8.
  ///
  /// - Parameter bytes: the text in Latin-1.
  /// - Returns: the same text in UTF-8.
  public static func utf8(fromLatin1 bytes: Span<UInt8>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 2 * bytes.count) { memory, count in
      for index in bytes.indices {
        let byte = bytes[index]
        if byte < 0x80 {
          memory.initializeElement(at: count, to: byte)
          count += 1
        } else {
          memory.initializeElement(at: count, to: 0xC0 | byte >> 6)
          memory.initializeElement(at: count + 1, to: 0x80 | byte & 0x3F)
          count += 2
        }
      }
    }
  }

  /// Returns the names that the bridge offers for a row.
  ///
  /// - Parameter types: the types of the row, in order.
  /// - Returns: the names in order, each with its type.
  public static func offers(of types: [String]) -> [(name: String, type: String)] {
    types.flatMap { type in
      guard type == MIMEType.plainText.mime else { return [(type, type)] }
      return offered.filter { $0 == type || !types.contains($0) }.map { ($0, type) }
    }
  }
}
