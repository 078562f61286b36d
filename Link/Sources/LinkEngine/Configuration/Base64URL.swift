/// The encoding base64url without padding.
///
/// Source: RFC 4648, section 5.
enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func text(of bytes: [UInt8]) -> String {
    var codes: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * (3 - UInt32(group.count)))
      for index in 0...group.count {
        codes.append(alphabet[Int(bits >> (18 - 6 * UInt32(index)) & 63)])
      }
    }
    return String(decoding: codes, as: UTF8.self)
  }

  /// Returns the bytes that a text encodes; nil if the text is not valid base64url.
  static func bytes(of text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for code in text.utf8 {
      guard let value = value(of: code) else { return nil }
      (bits, count) = (bits << 6 | value, count + 6)
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      bits &= (1 << count) - 1
    }
    return count < 6 && bits == 0 ? bytes : nil
  }

  private static func value(of code: UInt8) -> UInt32? {
    switch code {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(code - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(code - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(code - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
