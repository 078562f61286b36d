/// The id of an application: labels of letters, digits, `_` and `-`, joined by single dots, at most
/// 255 bytes.
///
/// - Valid: `notes`, `org.gnome.Notes`, `com.example.7-zip`
/// - Invalid: `org..gnome`, `.notes`, `notes.`, `my notes`, `:1.42`
public struct ApplicationID: Hashable, Sendable {
  /// The maximum number of bytes in an id.
  public static let maxLength = 255

  /// The id, such as `org.gnome.Notes`.
  public let text: String

  /// Checks an id.
  ///
  /// - Throws: `ApplicationError.malformed` if the text is not an id.
  public init(_ text: String) throws(ApplicationError) {
    guard Self.isWellFormed(text.utf8) else { throw .malformed(text) }
    self.text = text
  }

  /// Returns whether both ids belong to one team: they are equal, or both have at least three
  /// labels and the first two are the same.
  public func sharesTeam(with other: ApplicationID) -> Bool {
    guard self != other else { return true }
    guard let team, let otherTeam = other.team else { return false }
    return team.elementsEqual(otherTeam)
  }

  /// Returns whether both ids belong to one group: they are equal, or both have at least three
  /// labels and all but the last are the same.
  public func sharesGroup(with other: ApplicationID) -> Bool {
    guard self != other else { return true }
    guard let group, let otherGroup = other.group else { return false }
    return group.elementsEqual(otherGroup)
  }

  /// The first two labels; nil if there are fewer than three.
  private var team: Substring.UTF8View? {
    let dots = text.utf8.indices.lazy.filter { text.utf8[$0] == Self.dot }
    guard let second = dots.dropFirst().first else { return nil }
    return text.utf8[..<second]
  }

  /// All labels but the last; nil if there are fewer than three.
  private var group: Substring.UTF8View? {
    guard team != nil, let last = text.utf8.lastIndex(of: Self.dot) else { return nil }
    return text.utf8[..<last]
  }

  private static let dot = UInt8(ascii: ".")

  private static func isWellFormed(_ bytes: String.UTF8View) -> Bool {
    guard (1...maxLength).contains(bytes.count) else { return false }
    var last = dot
    for byte in bytes {
      // No label is empty.
      guard byte == dot ? last != dot : isLabelByte(byte) else { return false }
      last = byte
    }
    return last != dot
  }

  private static func isLabelByte(_ byte: UInt8) -> Bool {
    switch UnicodeScalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
    default: false
    }
  }
}

extension ApplicationID: CustomStringConvertible {
  /// The id, such as `org.gnome.Notes`.
  public var description: String { text }
}
