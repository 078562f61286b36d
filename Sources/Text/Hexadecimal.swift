/// Bytes as hexadecimal digits.
public enum Hexadecimal {
  /// Returns two digits for each byte.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - isUppercase: whether letters are upper case.
  /// - Returns: the digits.
  @inlinable
  public static func digits(
    of bytes: some Sequence<UInt8>, isUppercase: Bool = false
  ) -> String {
    let letters = (isUppercase ? UInt8(ascii: "A") : UInt8(ascii: "a")) - 10
    func digit(_ value: UInt8) -> UInt8 { value + (value < 10 ? UInt8(ascii: "0") : letters) }
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.underestimatedCount)
    for byte in bytes {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 0xF))
    }
    return String(decoding: text, as: UTF8.self)
  }

  // The functions are inlinable, because ids of rows are converted in large numbers.

  /// Returns all digits of a number in lower case: 4 for `UInt16`, 16 for `UInt64`.
  @inlinable
  public static func digits<Number: FixedWidthInteger & UnsignedInteger>(
    of number: Number
  ) -> String {
    let shifts = stride(from: Number.bitWidth - 8, through: 0, by: -8)
    return digits(of: shifts.lazy.map { UInt8(truncatingIfNeeded: number >> $0) })
  }

  /// Returns the bytes; nil if a character is not a digit in lower case, or the number of digits is
  /// odd.
  ///
  /// A number of bytes has only one such text, so the text can be a file name.
  public static func bytes(of digits: some StringProtocol) -> [UInt8]? {
    let codes = Array(digits.utf8)
    guard codes.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(codes.count / 2)
    for index in stride(from: 0, to: codes.count, by: 2) {
      guard let high = lowercaseValue(of: codes[index]),
        let low = lowercaseValue(of: codes[index + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func lowercaseValue(of digit: UInt8) -> UInt8? {
    digit < UInt8(ascii: "A") || digit > UInt8(ascii: "F") ? value(of: digit) : nil
  }

  /// Returns the value of an ASCII digit in lower or upper case; nil for any other byte.
  @inlinable
  public static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension Unicode.Scalar {
  /// The value in Unicode's notation, such as `U+202E`.
  public var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
