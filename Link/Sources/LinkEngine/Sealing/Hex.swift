/// Bytes as hexadecimal digits.
enum Hex {
  static func digits(of bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes {
      if byte < 16 { text += "0" }
      text += String(byte, radix: 16)
    }
    return text
  }

  /// Returns the bytes; nil if a character is not a lowercase hexadecimal digit or the number of
  /// digits is odd.
  static func bytes(of digits: some StringProtocol) -> [UInt8]? {
    let codes = Array(digits.utf8)
    guard codes.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(codes.count / 2)
    for index in stride(from: 0, to: codes.count, by: 2) {
      guard let high = value(of: codes[index]), let low = value(of: codes[index + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(of code: UInt8) -> UInt8? {
    switch code {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): code - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): code - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
