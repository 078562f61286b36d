/// The reason why a text is not a content type or not a query for one.
public enum MIMETypeError: Error, Hashable, Sendable {
  /// The text is empty.
  case empty
  /// The text has more than ``MIMEType/maxLength`` bytes.
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
  /// The text is a pattern other than `*/*` and `type/*`, or a pattern with parameters.
  case malformedPattern(String)
}

extension MIMETypeError: CustomStringConvertible {
  /// The problem and the valid values.
  public var description: String {
    switch self {
    case .empty:
      "type: the text is empty (expected a MIME type such as text/html, or an alias such as public.html)"
    case .tooLong(let byteCount):
      "type: \(byteCount) bytes are too long (at most \(MIMEType.maxLength))"
    case .unknownAlias(let text):
      "type: \(text.quoted) is neither a MIME type nor an alias (expected text/html or public.html, for example)"
    case .malformedName(let text):
      "type: \(text.quoted) does not begin with a valid TYPE/SUBTYPE (expected two names of RFC 6838)"
    case .malformedParameter(let text):
      "type: \(text.quoted) has a malformed parameter (expected NAME=VALUE, as in text/plain;charset=utf-8)"
    case .repeatedParameter(let text, let name):
      "type: \(text.quoted) has the parameter \(name.quoted) more than once (expected once)"
    case .pattern(let text):
      "type: \(text.quoted) is a pattern (expected a type such as text/html)"
    case .malformedPattern(let text):
      "type: \(text.quoted) is not a valid pattern (expected */*, or TYPE/* without parameters)"
    }
  }
}
