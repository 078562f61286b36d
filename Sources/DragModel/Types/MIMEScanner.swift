/// A scanner for the parts of a MIME type.
///
/// A function returns nil if the next part is missing or malformed. The scanner must not be used
/// afterwards.
struct MIMEScanner {
  /// The accepted names of types and subtypes.
  enum Names {
    /// Restricted names: a letter or digit, then letters, digits and `!#$&-^_.+`; at most 127
    /// bytes.
    ///
    /// Source: RFC 6838, section 4.2.
    case restricted
    /// RFC 2045 tokens of any length.
    ///
    /// Earlier versions accepted and stored them.
    case token
  }

  private var rest: Substring.UTF8View
  private let names: Names

  init(_ text: String, names: Names) {
    rest = text[...].utf8
    self.names = names
    skipSpace()
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Reads `type/subtype` and the white space after it.
  mutating func scanNames() -> (type: String, subtype: String)? {
    guard let type = scanName(), scan("/"), let subtype = scanName() else { return nil }
    skipSpace()
    return isAtEnd || rest.first == UInt8(ascii: ";") ? (type, subtype) : nil
  }

  /// Reads `;name=value` and the white space around each part.
  mutating func scanParameter() -> MediaType.Parameter? {
    guard scan(";") else { return nil }
    skipSpace()
    guard let name = scanToken()?.lowercased() else { return nil }
    skipSpace()
    guard scan("=") else { return nil }
    skipSpace()
    guard let value = scanToken() ?? scanQuotedString() else { return nil }
    skipSpace()
    return MediaType.Parameter(name: name, value: name == "charset" ? value.lowercased() : value)
  }

  /// Returns whether a byte belongs to an RFC 2045 token: printable ASCII without the space and the
  /// `tspecials`.
  static func isTokenByte(_ byte: UInt8) -> Bool {
    switch UnicodeScalar(byte) {
    case "(", ")", "<", ">", "@", ",", ";", ":", "\\", "\"", "/", "[", "]", "?", "=": false
    default: byte > 0x20 && byte < 0x7F
    }
  }

  private mutating func scanName() -> String? {
    guard let name = scanToken(), name == "*" || isName(name.utf8) else { return nil }
    return name.lowercased()
  }

  private func isName(_ token: String.UTF8View) -> Bool {
    switch names {
    case .restricted:
      token.count <= 127 && token.first.map(Self.isLetterOrDigit) == true
        && token.allSatisfy { Self.isLetterOrDigit($0) || Self.nameMarks.contains($0) }
    case .token: !token.contains(UInt8(ascii: "*"))
    }
  }

  private static let nameMarks = Array("!#$&-^_.+".utf8)

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch UnicodeScalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }

  private mutating func scanToken() -> String? {
    let token = rest.prefix(while: Self.isTokenByte)
    rest = rest.dropFirst(token.count)
    return token.isEmpty ? nil : String(Substring(token))
  }

  /// Reads a quoted string of printable ASCII and tabs, without its quotes and escapes.
  private mutating func scanQuotedString() -> String? {
    guard scan("\"") else { return nil }
    var value = String.UnicodeScalarView()
    while !scan("\"") {
      _ = scan("\\")
      guard let byte = rest.popFirst(), byte >= 0x20 && byte < 0x7F || byte == 0x09 else {
        return nil
      }
      value.append(UnicodeScalar(byte))
    }
    return String(value)
  }

  private mutating func scan(_ character: UnicodeScalar) -> Bool {
    guard let first = rest.first, UnicodeScalar(first) == character else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func skipSpace() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }
}
