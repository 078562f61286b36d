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
    case type(ContentType)
  }

  private let pattern: Pattern

  /// Any type.
  public static let any = TypeQuery(.any)
  /// Text in UTF-8.
  public static let plainText = TypeQuery(.plainText)

  /// Creates a query for one type.
  public init(_ type: ContentType) {
    pattern = .type(type)
  }

  private init(_ pattern: Pattern) {
    self.pattern = pattern
  }

  /// Parses a MIME type, an alias, or a pattern.
  ///
  /// - Throws: `ContentTypeError` if the text is invalid, with the problem and the valid values.
  public init(parsing text: String) throws(ContentTypeError) {
    try self.init(text, names: .restricted)
  }

  /// Parses a query, which may also name a type that only earlier versions accepted.
  ///
  /// - Throws: `ContentTypeError` if the text is invalid, with the problem and the valid values.
  public init(stored text: String) throws(ContentTypeError) {
    try self.init(text, names: .token)
  }

  private init(_ text: String, names: MIMEScanner.Names) throws(ContentTypeError) {
    if let known = ContentType.known(as: text) {
      pattern = text.lowercased() == ContentType.dataAlias ? .any : .type(known)
      return
    }
    let media = try MediaType(parsing: text, names: names)
    switch (media.type, media.subtype, media.parameters.isEmpty) {
    case ("*", "*", true): pattern = .any
    case ("*", _, _), (_, "*", false): throw .malformedPattern(text)
    case (let family, "*", true): pattern = .family("\(family)/")
    default: pattern = .type(ContentType(media))
    }
  }

  /// Returns whether the type conforms to the query.
  public func matches(_ type: ContentType) -> Bool {
    switch pattern {
    case .any: true
    case .family(let prefix): type.essence.utf8.starts(with: prefix.utf8)
    case .type(let wanted): wanted == type || wanted.isGeneralization(of: type)
    }
  }
}

extension ContentType {
  /// Returns whether the other type has the same type and subtype, and all of these parameters.
  fileprivate func isGeneralization(of other: ContentType) -> Bool {
    essence == other.essence && parameters.allSatisfy(other.parameters.contains)
  }
}

extension [TypeQuery] {
  /// Returns whether the type conforms to at least one of the queries.
  public func accept(_ type: ContentType) -> Bool {
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
