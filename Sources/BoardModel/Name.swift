internal import Text

/// The name of a board or a section: 1 to 64 Unicode scalars, without controls and noncharacters.
///
/// - Valid: `main`, `Zürich 🏔`
/// - Invalid: the empty text, two lines, U+FFFF
public struct Name: Hashable, Sendable, CustomStringConvertible {
  /// The name, unchanged.
  public let text: String

  /// The maximum number of Unicode scalars in a name.
  public static let maxScalars = 64

  /// Checks a name.
  public init(_ text: String) throws(NameFault) {
    guard !text.isEmpty else { throw .empty }
    for (index, scalar) in text.unicodeScalars.enumerated() {
      guard index < Self.maxScalars else { throw .tooLong }
      guard scalar.properties.generalCategory != .control else { throw .control(scalar) }
      guard !scalar.properties.isNoncharacterCodePoint else { throw .noncharacter(scalar) }
    }
    self.text = text
  }

  /// The name, unchanged.
  public var description: String { text }
}

/// The reason why a text is not a name of a board or a section.
public enum NameFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is empty.
  case empty

  /// The text has more than `Name.maxScalars` scalars.
  case tooLong

  /// The text has a control character (general category Cc).
  case control(Unicode.Scalar)

  /// The text has a noncharacter.
  case noncharacter(Unicode.Scalar)

  /// The problem and the valid values.
  public var description: String {
    let rule =
      "(expected 1 to \(Name.maxScalars) Unicode scalars without controls and noncharacters)"
    return switch self {
    case .empty: "the name is empty \(rule)"
    case .tooLong: "the name is too long \(rule)"
    case .control(let scalar): "the name has the control \(scalar.codePoint) \(rule)"
    case .noncharacter(let scalar):
      "the name has the noncharacter \(scalar.codePoint) \(rule)"
    }
  }
}
