/// The texts of keys with which clients log in at a NATS server.
///
/// A text is the base32 encoding of a prefix, the key and a checksum.
///
/// Source: https://github.com/nats-io/nkeys (`strkey.go`, `crc16.go`).
enum LoginKey {
  /// The prefixes of public keys of users ("U") and of seeds ("S").
  private static let (user, seed): (UInt8, UInt8) = (20 << 3, 18 << 3)

  /// Returns the text of a public key, which begins with "U".
  static func text(ofPublic key: [UInt8]) -> String { base32(checked([user] + key)) }

  /// Returns the text of a seed, which begins with "SU".
  static func text(ofSeed key: [UInt8]) -> String {
    base32(checked([seed | user >> 5, (user & 31) << 3] + key))
  }

  /// Adds the checksum CRC-16/XMODEM, least significant byte first.
  private static func checked(_ bytes: [UInt8]) -> [UInt8] {
    var sum: UInt16 = 0
    for byte in bytes {
      sum ^= UInt16(byte) << 8
      for _ in 0..<8 { sum = sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
    }
    return bytes + [UInt8(truncatingIfNeeded: sum), UInt8(sum >> 8)]
  }

  /// Source: RFC 4648, section 6, without padding.
  private static func base32(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    var codes: [UInt8] = []
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      (bits, count) = (bits << 8 | UInt32(byte), count + 8)
      while count >= 5 {
        count -= 5
        codes.append(alphabet[Int(bits >> count & 31)])
      }
      bits &= (1 << count) - 1
    }
    if count > 0 { codes.append(alphabet[Int(bits << (5 - count) & 31)]) }
    return String(decoding: codes, as: UTF8.self)
  }
}
