/// What a board or a section can be called: 1 to 64 Unicode scalars, without controls and
/// noncharacters.
///
/// Valid: `main`, `Zürich 🏔`. Invalid: the empty text, two lines, U+FFFF.
public struct Name: Hashable, Sendable, CustomStringConvertible {
  /// The name as it was given.
  public let text: String

  /// The most Unicode scalars that a name has.
  public static let mostScalars = 64

  /// Takes the text as a name, or says why it is none.
  public init(_ text: String) throws(NameFault) {
    guard !text.isEmpty else { throw .empty }
    for (index, scalar) in text.unicodeScalars.enumerated() {
      guard index < Self.mostScalars else { throw .tooLong }
      guard scalar.properties.generalCategory != .control else { throw .control(scalar) }
      guard !scalar.properties.isNoncharacterCodePoint else { throw .noncharacter(scalar) }
    }
    self.text = text
  }

  /// The name as it was given.
  public var description: String { text }
}

/// Why a text is no name of a board or a section.
public enum NameFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// It has no scalar.
  case empty

  /// It has more than `Name.mostScalars`.
  case tooLong

  /// It has a control character (general category Cc).
  case control(Unicode.Scalar)

  /// It has a scalar that Unicode sets aside as no character.
  case noncharacter(Unicode.Scalar)

  /// What was wrong, and what would have been right.
  public var description: String {
    let rule = "a name has 1 to \(Name.mostScalars) Unicode scalars, no controls and noncharacters"
    return switch self {
    case .empty: "the name is empty; \(rule)"
    case .tooLong: "the name is too long; \(rule)"
    case .control(let scalar): "the name has the control \(Self.code(of: scalar)); \(rule)"
    case .noncharacter(let scalar):
      "the name has the noncharacter \(Self.code(of: scalar)); \(rule)"
    }
  }

  private static func code(of scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
