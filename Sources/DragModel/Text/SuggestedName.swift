/// The name that a source suggests for an item: 0 to 255 Unicode scalars, without controls and noncharacters.
public struct SuggestedName: Hashable, Sendable {
  /// The most Unicode scalars of a name.
  public static let maximumLength = 255
  /// No suggestion.
  public static let none = SuggestedName()

  /// The name; "" where none is suggested.
  public let text: String

  private init() {
    text = ""
  }

  /// Takes a name as it is.
  ///
  /// - Throws: `SuggestedNameError`, which says what is wrong with it.
  public init(_ text: String) throws(SuggestedNameError) {
    for (position, scalar) in text.unicodeScalars.enumerated() {
      guard position < Self.maximumLength else { throw .tooLong }
      guard !scalar.isControl && !scalar.isNoncharacter else {
        throw .forbiddenScalar(scalar, position: position)
      }
    }
    self.text = text
  }
}

/// Why a text is no suggested name.
public enum SuggestedNameError: Error, Hashable, Sendable {
  /// The text has more than ``SuggestedName/maximumLength`` Unicode scalars.
  case tooLong
  /// The text has a control or a noncharacter at this position, counted in Unicode scalars from 0.
  case forbiddenScalar(Unicode.Scalar, position: Int)
}

extension SuggestedNameError: CustomStringConvertible {
  /// What was wrong, and what would have been right.
  public var description: String {
    switch self {
    case .tooLong:
      "suggested_name: too long; at most \(SuggestedName.maximumLength) Unicode scalars are allowed"
    case .forbiddenScalar(let scalar, let position):
      "suggested_name: U+\(scalar.hexadecimal) at \(position); controls and noncharacters are not allowed"
    }
  }
}

extension Unicode.Scalar {
  /// The value as Unicode writes it: in capitals, four digits at least.
  fileprivate var hexadecimal: String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
