/// The name that a source suggests for an item: 0 to 255 Unicode scalars, without controls and
/// noncharacters.
public struct SuggestedName: Hashable, Sendable {
  /// The maximum number of Unicode scalars in a name.
  public static let maxLength = 255
  /// No suggestion.
  public static let none = SuggestedName()

  /// The name; "" without a suggestion.
  public let text: String

  private init() {
    text = ""
  }

  /// Checks a name.
  ///
  /// - Throws: `SuggestedNameError` if the text is not a valid name.
  public init(_ text: String) throws(SuggestedNameError) {
    for (position, scalar) in text.unicodeScalars.enumerated() {
      guard position < Self.maxLength else { throw .tooLong }
      guard !scalar.isControl && !scalar.isNoncharacter else {
        throw .forbiddenScalar(scalar, position: position)
      }
    }
    self.text = text
  }
}

/// The reason why a text is not a suggested name.
public enum SuggestedNameError: Error, Hashable, Sendable {
  /// The text has more than ``SuggestedName/maxLength`` Unicode scalars.
  case tooLong
  /// The text has a control or a noncharacter at this position, in Unicode scalars from 0.
  case forbiddenScalar(Unicode.Scalar, position: Int)
}

extension SuggestedNameError: CustomStringConvertible {
  /// The problem and the valid values.
  public var description: String {
    switch self {
    case .tooLong:
      "suggested_name: too long (at most \(SuggestedName.maxLength) Unicode scalars)"
    case .forbiddenScalar(let scalar, let position):
      "suggested_name: U+\(scalar.hexadecimal) at \(position) is a control or a noncharacter"
    }
  }
}

extension Unicode.Scalar {
  /// The value in Unicode notation: upper case, at least four digits.
  fileprivate var hexadecimal: String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
