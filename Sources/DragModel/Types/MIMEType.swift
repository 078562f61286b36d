/// The type of a representation's bytes: a MIME type in normal form.
///
/// Two spellings of one type are equal: names are compared without case, parameters are sorted by
/// name, white space around `;` and `=` is dropped, values are quoted only if necessary, and a
/// charset is lower case.
///
/// - Valid: `text/plain`, `Text/HTML; Charset="UTF-8"`, `x-special/gnome-copied-files`,
///   `public.png`, `UTF8_STRING`
/// - Invalid: `text`, `text/`, `text/*`, `text/{x}`, `text/_x`, `text/plain;charset`,
///   `text/plain;a=1;a=2`, a text over 255 bytes
///
/// Type and subtype are restricted names of [RFC 6838, section
/// 4.2](https://www.rfc-editor.org/rfc/rfc6838#section-4.2). Parameters follow [RFC 2045, section
/// 5.1](https://www.rfc-editor.org/rfc/rfc2045#section-5.1), without comments. Only patterns have
/// `*`, see ``TypeQuery``.
public struct MIMEType: Hashable, Sendable {
  /// The maximum number of bytes in a spelling of a type.
  public static let maxLength = 255

  /// The normal form, as on the wire: `text/plain;charset=utf-8`.
  public let mime: String
  /// Type and subtype without parameters, `text/plain`.
  public let essence: String
  /// The parameters, sorted by name.
  let parameters: [MediaType.Parameter]

  /// Parses a MIME type, or one of the aliases in ``aliases``.
  ///
  /// - Throws: `MIMETypeError` if the text is invalid, with the problem and the valid values.
  public init(parsing text: String) throws(MIMETypeError) {
    try self.init(text, names: .restricted)
  }

  /// Parses a type from the store.
  ///
  /// Earlier versions stored any RFC 2045 tokens as type and subtype.
  ///
  /// - Throws: `MIMETypeError` if the text is invalid, with the problem and the valid values.
  public init(stored text: String) throws(MIMETypeError) {
    try self.init(text, names: .token)
  }

  private init(_ text: String, names: MIMEScanner.Names) throws(MIMETypeError) {
    if let known = Self.known(as: text) {
      self = known
      return
    }
    let media = try MediaType(parsing: text, names: names)
    guard !media.isPattern else { throw .pattern(text) }
    self.init(media)
  }

  init(_ media: MediaType) {
    mime = media.description
    essence = media.essence
    parameters = media.parameters
  }

  /// Whether this is text that declares UTF-8, so that its bytes must be valid UTF-8.
  public var isPlainText: Bool {
    TypeQuery.plainText.matches(self)
  }

  /// Returns whether the two types are the same.
  public static func == (one: MIMEType, other: MIMEType) -> Bool {
    one.mime == other.mime
  }

  /// Hashes the normal form.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(mime)
  }
}

extension MIMEType: CustomStringConvertible {
  /// The normal form, `text/plain;charset=utf-8`.
  public var description: String { mime }
}
