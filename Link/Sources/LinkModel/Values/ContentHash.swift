internal import CSodium
internal import Text

/// The BLAKE2b-256 hash of a content.
public struct ContentHash: Hashable, Sendable {
  /// The number of bytes of a hash.
  public static let byteCount = 32
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// Creates a hash from 32 bytes; nil for another number of bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Computes the hash of a content.
  public init(of content: [UInt8]) {
    _ = Self.isReady
    var bytes = [UInt8](repeating: 0, count: Self.byteCount)
    _ = crypto_generichash(&bytes, bytes.count, content, UInt64(content.count), nil, 0)
    self.bytes = bytes
  }

  /// Parses the digits of `description`; nil for any other text.
  public init?(digits: String) {
    guard let bytes = Hexadecimal.bytes(of: digits) else { return nil }
    self.init(bytes: bytes)
  }

  /// Whether libsodium has selected its fastest functions for this processor.
  private static let isReady = sodium_init() >= 0
}

extension ContentHash: CustomStringConvertible {
  /// 64 hexadecimal digits.
  public var description: String {
    Hexadecimal.digits(of: bytes)
  }
}
