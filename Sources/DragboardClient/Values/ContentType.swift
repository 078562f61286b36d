/// A type of bytes, or a pattern such as `text/*` in a request.
///
/// The daemon parses, checks and normalises types: MIME types in any spelling, uniform type
/// identifiers (`public.png`) and X11 target names (`UTF8_STRING`). Types from the daemon are
/// normalised MIME types. Two values are equal if their texts are.
public struct ContentType: RawRepresentable, Hashable, Sendable {
  /// The text of the type.
  public let rawValue: String

  /// Creates a type from its text, which only the daemon checks.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a type from its text, which only the daemon checks.
  public init(_ text: String) { rawValue = text }
}

extension ContentType: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates a type from a literal, which only the daemon checks.
  public init(stringLiteral text: String) { rawValue = text }

  /// The text of the type.
  public var description: String { rawValue }
}

extension ContentType {
  /// Text in UTF-8.
  public static let plainText: ContentType = "text/plain;charset=utf-8"
  /// HTML.
  public static let html: ContentType = "text/html"
  /// A list of URIs, one per line.
  public static let uriList: ContentType = "text/uri-list"
  /// A PNG image.
  public static let png: ContentType = "image/png"
  /// Bytes of an unknown type.
  public static let data: ContentType = "application/octet-stream"
  /// The pattern that matches every type.
  public static let any: ContentType = "*/*"
}
