internal import CNettle
internal import CSQLite

/// What tells one content from another: the SHA-256 of its bytes (FIPS 180-4).
public struct ContentDigest: Hashable, Sendable {
  /// The number of bytes of a digest.
  static let byteCount = Int(SHA256_DIGEST_SIZE)

  /// 32 bytes.
  public let bytes: [UInt8]

  /// Takes 32 bytes; anything else is no digest.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Reads 64 hexadecimal digits, letters small; anything else is no digest.
  init?(hex: String) {
    let digits = hex.utf8.compactMap(Self.value(ofDigit:))
    guard hex.utf8.count == 2 * Self.byteCount, digits.count == hex.utf8.count else { return nil }
    bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private static func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// The digest of all that a hash was fed.
  fileprivate init(concluding context: inout sha256_ctx) {
    bytes = [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
      cnettle_sha256_digest(&context, buffer.baseAddress)
      count = buffer.count
    }
  }
}

extension ContentDigest: CustomStringConvertible {
  /// 64 hexadecimal digits, letters small.
  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// A digest is copied.
extension ContentDigest: Bindable {
  func bind(to statement: OpaquePointer, at position: Int32) -> Int32 {
    bytes.withUnsafeBytes {
      sqlite3_bind_blob64(
        statement, position, $0.baseAddress, UInt64($0.count), CSQLITE_TRANSIENT)
    }
  }
}

/// Makes the digest of bytes that come piece by piece.
struct ContentHash {
  private var context = sha256_ctx()

  init() { nettle_sha256_init(&context) }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    nettle_sha256_update(
      &context, bytes.count, bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
  }

  /// The digest of what it was given; it begins anew then.
  mutating func conclude() -> ContentDigest { ContentDigest(concluding: &context) }
}
