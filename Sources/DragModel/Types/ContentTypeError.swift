/// The reason why a text is not a content type or not a query for one.
public enum ContentTypeError: Error, Hashable, Sendable {
  /// The text is empty.
  case empty
  /// The text has more than ``ContentType/maxLength`` bytes.
  case tooLong(byteCount: Int)
  /// The text has no slash and is not an alias.
  case unknownAlias(String)
  /// The text before the parameters is not two names joined by a slash.
  case malformedName(String)
  /// A parameter is not `name=value`, or is followed by other text.
  case malformedParameter(String)
  /// A parameter is given more than once.
  case repeatedParameter(String, name: String)
  /// The text is a pattern, but a type is required.
  case pattern(String)
  /// A pattern that is neither `*/*` nor `type/*`, or one with parameters.
  case malformedPattern(String)
}

extension ContentTypeError: CustomStringConvertible {
  /// The problem and the valid values.
  public var description: String {
    switch self {
    case .empty:
      "type: empty; a MIME type such as text/html, or an alias such as public.html, is needed"
    case .tooLong(let byteCount):
      "type: \(byteCount) bytes long; at most \(ContentType.maxLength) are allowed"
    case .unknownAlias(let text):
      "type: \(text.quoted) is neither a MIME type, such as text/html, nor a known alias, such as public.html"
    case .malformedName(let text):
      "type: \(text.quoted) does not begin with two names of RFC 6838 and a slash between them"
    case .malformedParameter(let text):
      "type: \(text.quoted) has a malformed parameter; they are written as in text/plain;charset=utf-8"
    case .repeatedParameter(let text, let name):
      "type: \(text.quoted) gives the parameter \(name.quoted) more than once; once is allowed"
    case .pattern(let text):
      "type: \(text.quoted) is a pattern; the type of bytes is one type, such as text/html"
    case .malformedPattern(let text):
      "type: \(text.quoted) is not a pattern; text/* and */*, without parameters, are"
    }
  }
}
