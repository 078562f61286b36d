public import DragboardClient

/// What another application offers, as the types that a board keeps.
public struct OfferedTypes: Hashable, Sendable {
  /// One type: what a board calls it, and what the other application does.
  public struct Offer: Hashable, Sendable {
    /// The type on the board.
    public let type: ContentType
    /// The name by which the other application hands it over.
    public let name: String
  }

  /// The types in the order in which they are offered, each once.
  public let offers: [Offer]

  /// The offers among the names of a drag or a clipboard, MIME types and X11 targets.
  public init(_ names: [String]) {
    var seen: Set<String> = []
    // Beside text in UTF-8 it is the same text, said to be in an unknown encoding.
    if names.contains(where: { Self.type(of: $0) == "text/plain;charset=utf-8" }) {
      seen.insert("text/plain")
    }
    offers = names.compactMap { name in
      guard let type = Self.type(of: name), seen.insert(type).inserted else { return nil }
      return Offer(type: ContentType(type), name: name)
    }
  }

  /// What a name stands for; nil for what is no content, or means nothing elsewhere.
  private static func type(of name: String) -> String? {
    if name == "UTF8_STRING" { return "text/plain;charset=utf-8" }
    let lower = name.lowercased().filter { $0 != " " }
    guard isMediaType(lower), !internalNames.contains(where: lower.hasPrefix) else { return nil }
    return lower
  }

  /// Whether a name is a MIME type; one that is not would have the daemon refuse the others with it.
  private static func isMediaType(_ name: String) -> Bool {
    let parts = name.split(separator: ";", omittingEmptySubsequences: false)
    let words = parts[0].split(separator: "/", omittingEmptySubsequences: false)
    return name.utf8.count <= 255 && words.count == 2 && words.allSatisfy(isName)
      && parts.dropFirst().allSatisfy { part in
        let sides = part.split(separator: "=", omittingEmptySubsequences: false)
        return sides.count == 2 && sides.allSatisfy(isToken)
      }
  }

  /// Source: RFC 6838, section 4.2.
  private static func isName(_ word: Substring) -> Bool {
    guard word.utf8.count <= 127, let first = word.first else { return false }
    let names = "abcdefghijklmnopqrstuvwxyz0123456789!#$&-^_.+"
    return names.prefix(36).contains(first) && word.utf8.allSatisfy(names.utf8.contains)
  }

  /// Source: RFC 2045, section 5.1.
  private static func isToken(_ word: Substring) -> Bool {
    !word.isEmpty
      && word.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?=*".utf8.contains($0) }
  }

  /// What GTK, Qt and browsers say to themselves.
  private static let internalNames = [
    "application/x-gtk-", "gtk_", "application/x-rootwindow-drop", "application/x-qabstractitem",
    "application/x-kde4-urilist", "application/vnd.portal.", "application/x-moz-nativeimage",
    "x-special/", "chromium/",
  ]
}
