/// A type of bytes, or, in a question, a pattern such as `text/*`.
///
/// The daemon parses, checks and normalises types: MIME types in any spelling, uniform type
/// identifiers (`public.png`) and X11 target names (`UTF8_STRING`). Types from the daemon are
/// normalised MIME types. Two values are equal if their texts are.
public struct ContentType: RawRepresentable, Hashable, Sendable {
  /// The type as it is written.
  public let rawValue: String

  /// The type that is written so; it is not checked here.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The type that is written so; it is not checked here.
  public init(_ text: String) { rawValue = text }
}

extension ContentType: ExpressibleByStringLiteral, CustomStringConvertible {
  /// The type that the literal writes.
  public init(stringLiteral text: String) { rawValue = text }

  /// The type as it is written.
  public var description: String { rawValue }
}

extension ContentType {
  /// Text in UTF-8.
  public static let plainText: ContentType = "text/plain;charset=utf-8"
  /// HTML.
  public static let html: ContentType = "text/html"
  /// URIs, one a line.
  public static let uriList: ContentType = "text/uri-list"
  /// A PNG image.
  public static let png: ContentType = "image/png"
  /// Bytes of which nothing is known.
  public static let data: ContentType = "application/octet-stream"
  /// In a question: any type.
  public static let any: ContentType = "*/*"
}
