public import DragboardClient

/// The file that a row, or an item of a drag, becomes in a file manager, or if the user saves it.
public struct SavedContent: Hashable, Sendable {
  /// The name of the file.
  public let name: FileName
  /// The type whose bytes the file contains.
  public let type: ContentType
}

extension HeldOut {
  /// Returns the file for the content; nil without types.
  ///
  /// A picture of a web page has no suggested name, but often an address whose last part is the
  /// name of the picture. A browser offers a picture as several types; the type that fits the name
  /// is used. Without any name, a text has the name of its first words.
  ///
  /// - Parameter address: an address in the content; nil for none.
  /// - Returns: the file.
  public func saved(from address: String? = nil) -> SavedContent? {
    switch kind {
    case .image: savedPicture(from: address)
    case .text: saved(as: textType)
    case .markup: saved(as: types.first { $0.base == "text/html" })
    case .addresses, .other: saved(as: types.first)
    }
  }

  private func saved(as type: ContentType?) -> SavedContent? {
    guard let type else { return nil }
    if let name = FileName(suggested: suggestedName) { return SavedContent(name: name, type: type) }
    let words = FileName(suggested: ShownText.words(of: firstLine, atMost: 40))?.text ?? "Item"
    return SavedContent(name: FileName("\(words).\(type.fileExtension)"), type: type)
  }

  private func savedPicture(from address: String?) -> SavedContent? {
    let pictures = types.filter { $0.base.hasPrefix("image/") }
    guard let first = pictures.first else { return nil }
    let suggestion =
      suggestedName.isEmpty ? address.map(Addresses.fileName(of:)) ?? "" : suggestedName
    guard let name = FileName(suggested: suggestion) else {
      return SavedContent(name: FileName("Image.\(first.fileExtension)"), type: first)
    }
    let ending = name.text.pathExtension
    if let fitting = pictures.first(where: { type in ending.map(type.fits(fileExtension:)) ?? false
    }) {
      return SavedContent(name: name, type: fitting)
    }
    // The name of another type of picture, or of a program on the web: `photo.php`.
    let stem = ending.map { name.text.dropLast($0.count + 1) } ?? name.text[...]
    return SavedContent(name: FileName("\(stem).\(first.fileExtension)"), type: first)
  }

  /// The type of the text: plain text, or else the first type of text.
  public var textType: ContentType? {
    types.first { $0 == .plainText } ?? types.first { $0.base == "text/plain" }
      ?? types.first { $0.base.hasPrefix("text/") }
  }
}

extension ContentType {
  /// The type without parameters.
  public var base: String { String(rawValue.prefix { $0 != ";" }) }

  /// Whether this is the type of a source text.
  public var isCode: Bool {
    base.hasPrefix("text/x-") && base != "text/x-moz-url"
      || ["text/css", "text/javascript", "text/csv", "text/xml"].contains(base)
  }

  /// Whether content of this type can contain scripts that a browser runs.
  public var mayContainScripts: Bool {
    [
      "text/html", "application/xhtml+xml", "image/svg+xml", "image/svg+xml-compressed",
      "application/xml", "text/xml", "multipart/related", "application/x-mimearchive",
      "message/rfc822",
    ].contains(base)
  }

  /// The usual extension of files with this type.
  public var fileExtension: String {
    if let ending = Self.extensions[base]?.first { return ending }
    let subtype = base.drop { $0 != "/" }.dropFirst().prefix { $0 != "+" }
    return String(subtype)
  }

  fileprivate func fits(fileExtension: String) -> Bool {
    let ending = fileExtension.lowercased()
    return Self.extensions[base]?.contains(ending) ?? (self.fileExtension == ending)
  }

  /// The extensions of types whose subtype is not the usual extension; the usual one first.
  private static let extensions = [
    "text/plain": ["txt"], "text/markdown": ["md"], "text/calendar": ["ics"],
    "text/html": ["html", "htm"], "image/jpeg": ["jpg", "jpeg", "jpe", "jfif"],
    "image/svg+xml": ["svg"], "image/tiff": ["tif", "tiff"], "image/x-icon": ["ico"],
    "image/vnd.microsoft.icon": ["ico"], "application/octet-stream": ["bin"],
    "application/gzip": ["gz"], "application/x-tar": ["tar"], "audio/mpeg": ["mp3"],
  ]
}

extension String {
  /// The extension of a file name without its dot; nil if the name has none.
  fileprivate var pathExtension: String? {
    guard let dot = lastIndex(of: "."), dot > startIndex else { return nil }
    let ending = self[index(after: dot)...]
    let isExtension =
      1...8 ~= ending.count && ending.allSatisfy { $0.isASCII && $0.isLetter || $0.isNumber }
    return isExtension ? String(ending) : nil
  }
}
