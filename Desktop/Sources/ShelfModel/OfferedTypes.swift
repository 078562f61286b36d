public import DragboardClient

/// The types that another application offers, translated to types of a board.
public struct OfferedTypes: Hashable, Sendable {
  /// A type with its name on the board and its name in the other application.
  public struct Offer: Hashable, Sendable {
    /// The type on the board.
    public let type: ContentType
    /// The name by which the other application offers the bytes.
    public let name: String
  }

  /// The offered types in order, without duplicates.
  public let offers: [Offer]

  /// Creates the offers for the names of a drag or a clipboard: MIME types and X11 targets.
  public init(_ names: [String]) {
    var seen: Set<String> = []
    // If UTF-8 text is offered, omit `text/plain`, which is the same text without a declared
    // encoding.
    if names.contains(where: { Self.type(of: $0) == "text/plain;charset=utf-8" }) {
      seen.insert("text/plain")
    }
    let offers = names.compactMap { name -> Offer? in
      guard let type = Self.type(of: name), seen.insert(type).inserted else { return nil }
      return Offer(type: ContentType(type), name: name)
    }
    // Sandboxed programs offer files by a key, with which the portal returns their addresses.
    let key = seen.contains("text/uri-list") ? nil : names.first(where: Self.portalNames.contains)
    self.offers = offers + (key.map { [Offer(type: .uriList, name: $0)] } ?? [])
  }

  /// The names under which programs offer the key of files in the portal.
  ///
  /// The key expires, so the board stores only the addresses.
  public static let portalNames = [
    "application/vnd.portal.filetransfer", "application/vnd.portal.files",
  ]

  /// Returns the type for a name; nil if the name denotes no content, or has a meaning only inside
  /// its application.
  private static func type(of name: String) -> String? {
    if name == "UTF8_STRING" { return "text/plain;charset=utf-8" }
    let lower = name.lowercased().filter { $0 != " " }
    guard isMediaType(lower), !internalNames.contains(where: lower.hasPrefix) else { return nil }
    return lower
  }

  /// Returns whether a name is a MIME type.
  ///
  /// The check is needed, because the daemon rejects all types if one of them is invalid.
  private static func isMediaType(_ name: String) -> Bool {
    let parts = name.split(separator: ";", omittingEmptySubsequences: false)
    let words = parts[0].split(separator: "/", omittingEmptySubsequences: false)
    return name.utf8.count <= 255 && words.count == 2 && words.allSatisfy(isName)
      && parts.dropFirst().allSatisfy { part in
        let sides = part.split(separator: "=", omittingEmptySubsequences: false)
        return sides.count == 2 && sides.allSatisfy(isToken)
      }
  }

  /// Returns whether a text is a restricted name.
  ///
  /// Source: RFC 6838, section 4.2.
  private static func isName(_ word: Substring) -> Bool {
    guard word.utf8.count <= 127, let first = word.first else { return false }
    let names = "abcdefghijklmnopqrstuvwxyz0123456789!#$&-^_.+"
    return names.prefix(36).contains(first) && word.utf8.allSatisfy(names.utf8.contains)
  }

  /// Returns whether a text is a token.
  ///
  /// Source: RFC 2045, section 5.1.
  private static func isToken(_ word: Substring) -> Bool {
    !word.isEmpty
      && word.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?=*".utf8.contains($0) }
  }

  /// Names that GTK, Qt and browsers use internally.
  private static let internalNames = [
    "application/x-gtk-", "gtk_", "application/x-rootwindow-drop", "application/x-qabstractitem",
    "application/x-kde4-urilist", "application/vnd.portal.", "application/x-moz-nativeimage",
    "x-special/", "chromium/",
  ]
}
