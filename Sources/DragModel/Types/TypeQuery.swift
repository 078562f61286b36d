/// A query for types: one type, a family such as `text/*`, or any type.
///
/// A type matches by conformance: `text/plain;charset=utf-8` conforms to `text/plain`, to `text/*`
/// and to `*/*`. A query with parameters matches types that have these parameters, and possibly
/// others. A type does not conform to a sibling or to a more specific type.
///
/// - Valid: `text/plain`, `text/*`, `*/*`, `public.html`; `public.data` means `*/*` here.
/// - Invalid: `*`, `*/plain`, `text/x*`, `text/*;charset=utf-8`
public struct TypeQuery: Hashable, Sendable {
  private enum Pattern: Hashable, Sendable {
    case any
    /// The name of the family with the slash, `text/`.
    case family(String)
    case type(MIMEType)
  }

  private let pattern: Pattern

  /// Any type.
  public static let any = TypeQuery(.any)
  /// Text in UTF-8.
  public static let plainText = TypeQuery(.plainText)

  /// Creates a query for one type.
  public init(_ type: MIMEType) {
    pattern = .type(type)
  }

  private init(_ pattern: Pattern) {
    self.pattern = pattern
  }

  /// Parses a MIME type, an alias, or a pattern.
  ///
  /// - Throws: `MIMETypeError` if the text is invalid, with the problem and the valid values.
  public init(parsing text: String) throws(MIMETypeError) {
    try self.init(text, names: .restricted)
  }

  /// Parses a query, which may also name a type that only earlier versions accepted.
  ///
  /// - Throws: `MIMETypeError` if the text is invalid, with the problem and the valid values.
  public init(stored text: String) throws(MIMETypeError) {
    try self.init(text, names: .token)
  }

  private init(_ text: String, names: MIMEScanner.Names) throws(MIMETypeError) {
    if let known = MIMEType.known(as: text) {
      pattern = text.lowercased() == MIMEType.dataAlias ? .any : .type(known)
      return
    }
    let media = try MediaType(parsing: text, names: names)
    switch (media.type, media.subtype, media.parameters.isEmpty) {
    case ("*", "*", true): pattern = .any
    case ("*", _, _), (_, "*", false): throw .malformedPattern(text)
    case (let family, "*", true): pattern = .family("\(family)/")
    default: pattern = .type(MIMEType(media))
    }
  }

  /// Returns whether the type conforms to the query.
  public func matches(_ type: MIMEType) -> Bool {
    switch pattern {
    case .any: true
    case .family(let prefix): type.essence.utf8.starts(with: prefix.utf8)
    case .type(let wanted): wanted == type || wanted.isGeneralization(of: type)
    }
  }
}

extension MIMEType {
  /// Returns whether the other type has the same type and subtype, and all of these parameters.
  fileprivate func isGeneralization(of other: MIMEType) -> Bool {
    essence == other.essence && parameters.allSatisfy(other.parameters.contains)
  }
}

extension [TypeQuery] {
  /// Returns whether the type conforms to at least one of the queries.
  public func accept(_ type: MIMEType) -> Bool {
    contains { $0.matches(type) }
  }
}

extension TypeQuery: CustomStringConvertible {
  /// The MIME form: a type, `text/*`, or `*/*`.
  public var description: String {
    switch pattern {
    case .any: "*/*"
    case .family(let prefix): "\(prefix)*"
    case .type(let type): type.mime
    }
  }
}
