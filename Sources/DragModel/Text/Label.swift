internal import Text

/// A short text for display, such as a suggested file name: 0 to 255 Unicode scalars, without
/// controls and noncharacters.
public struct Label: Hashable, Sendable {
  /// The maximum number of Unicode scalars.
  public static let maxLength = 255
  /// The empty label.
  public static let none = Label()

  /// The text; "" for none.
  public let text: String

  private init() { text = "" }

  /// Checks a text.
  ///
  /// - Throws: `LabelError` if the text is not a valid label.
  public init(_ text: String) throws(LabelError) {
    for (position, scalar) in text.unicodeScalars.enumerated() {
      guard position < Self.maxLength else { throw .tooLong }
      guard !scalar.isControl && !scalar.isNoncharacter else {
        throw .forbiddenScalar(scalar, position: position)
      }
    }
    self.text = text
  }

  /// Creates a label from the database; an invalid text, which means damage, becomes empty.
  public init(stored text: String) { self = (try? Label(text)) ?? .none }
}

/// The reason why a text is not a label.
public enum LabelError: Error, Hashable, Sendable {
  /// The text has more than ``Label/maxLength`` Unicode scalars.
  case tooLong
  /// The text has a control or a noncharacter at this position, in Unicode scalars from 0.
  case forbiddenScalar(Unicode.Scalar, position: Int)
}

extension LabelError: CustomStringConvertible {
  /// The problem and the valid values.
  public var description: String {
    let rule =
      "(expected at most \(Label.maxLength) Unicode scalars without controls and noncharacters)"
    return switch self {
    case .tooLong: "the text is too long \(rule)"
    case .forbiddenScalar(let scalar, let position):
      "\(scalar.codePoint) at \(position) is a control or a noncharacter \(rule)"
    }
  }
}
