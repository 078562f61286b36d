extension MIMEType {
  /// Text in UTF-8.
  public static let plainText = MIMEType(
    MediaType("text", "plain", [MediaType.Parameter(name: "charset", value: "utf-8")]))
  /// Text in an unknown encoding.
  public static let textOfUnknownEncoding = MIMEType(MediaType("text", "plain"))
  /// HTML.
  public static let html = MIMEType(MediaType("text", "html"))
  /// Rich Text Format.
  public static let rtf = MIMEType(MediaType("text", "rtf"))
  /// URIs, one per line ([RFC 2483, section 5](https://www.rfc-editor.org/rfc/rfc2483#section-5)).
  public static let uriList = MIMEType(MediaType("text", "uri-list"))
  /// A PNG image.
  public static let png = MIMEType(MediaType("image", "png"))
  /// A JPEG image.
  public static let jpeg = MIMEType(MediaType("image", "jpeg"))
  /// A TIFF image.
  public static let tiff = MIMEType(MediaType("image", "tiff"))
  /// A PDF document.
  public static let pdf = MIMEType(MediaType("application", "pdf"))
  /// Bytes of an unknown type.
  public static let data = MIMEType(MediaType("application", "octet-stream"))

  /// The uniform type identifiers and X11 target names for each type, in lower case.
  ///
  /// They are compared without case, like all types. In a query, `public.data` has another meaning:
  /// see ``TypeQuery``.
  public static let aliases: [String: MIMEType] = [
    "public.utf8-plain-text": plainText,
    "utf8_string": plainText,
    "public.plain-text": textOfUnknownEncoding,
    "public.html": html,
    "public.rtf": rtf,
    "public.png": png,
    "public.jpeg": jpeg,
    "public.tiff": tiff,
    "com.adobe.pdf": pdf,
    "public.file-url": uriList,
    "public.url": uriList,
    "public.data": data,
  ]

  /// The alias of ``data`` that matches other types, too, if it is a pattern.
  static let dataAlias = "public.data"

  /// The types above, by their normal form.
  ///
  /// A text that is found here needs no parsing, and equal types share their storage.
  private static let spelled: [String: MIMEType] = {
    let all = [
      plainText, textOfUnknownEncoding, html, rtf, uriList, png, jpeg, tiff, pdf, data,
    ]
    return Dictionary(uniqueKeysWithValues: all.map { ($0.mime, $0) })
  }()

  /// Returns the type with this exact spelling or alias.
  ///
  /// Looks up only ASCII texts, because U+037E and the semicolon are canonically equivalent: a
  /// dictionary of strings treats them as equal.
  static func known(as text: String) -> MIMEType? {
    guard text.utf8.count <= maxLength, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    return spelled[text] ?? aliases[text.lowercased()]
  }
}
