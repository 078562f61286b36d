/// The parts of a MIME type or of a pattern, in normal form.
struct MediaType: Hashable, Sendable {
  /// A parameter: a name in lower case, and a value without quotes.
  struct Parameter: Hashable, Sendable {
    var name: String
    var value: String
  }

  let type: String
  let subtype: String
  /// The parameters, sorted by name; each name occurs once.
  let parameters: [Parameter]

  /// Creates a media type from parts in normal form.
  init(_ type: String, _ subtype: String, _ parameters: [Parameter] = []) {
    self.type = type
    self.subtype = subtype
    self.parameters = parameters
  }

  /// Parses a text by the grammar of RFC 2045; `*` is valid only as a whole name.
  init(parsing text: String, names: MIMEScanner.Names) throws(MIMETypeError) {
    let length = text.utf8.count
    guard length > 0 else { throw .empty }
    guard length <= MIMEType.maxLength else { throw .tooLong(byteCount: length) }
    var scanner = MIMEScanner(text, names: names)
    guard let (type, subtype) = scanner.scanNames() else {
      throw text.utf8.contains(UInt8(ascii: "/")) ? .malformedName(text) : .unknownAlias(text)
    }
    var parameters: [Parameter] = []
    while !scanner.isAtEnd {
      guard let parameter = scanner.scanParameter() else { throw .malformedParameter(text) }
      guard !parameters.contains(where: { $0.name == parameter.name }) else {
        throw .repeatedParameter(text, name: parameter.name)
      }
      parameters.append(parameter)
    }
    self.init(type, subtype, parameters.sorted { $0.name < $1.name })
  }

  var essence: String { "\(type)/\(subtype)" }

  /// Whether the type or the subtype is `*`.
  var isPattern: Bool { type == "*" || subtype == "*" }
}

extension MediaType: CustomStringConvertible {
  /// The normal form; parsing it returns an equal value.
  var description: String {
    parameters.reduce(essence) { "\($0);\($1.name)=\($1.quotedValue)" }
  }
}

extension MediaType.Parameter {
  /// The value as written: in quotes if it is not a token.
  fileprivate var quotedValue: String {
    let isToken = !value.isEmpty && value.utf8.allSatisfy(MIMEScanner.isTokenByte)
    guard !isToken else { return value }
    let escaped = value.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }
    return "\"\(escaped.joined())\""
  }
}
