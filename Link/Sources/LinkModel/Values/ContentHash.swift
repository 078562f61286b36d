internal import CSodium
internal import Text

/// The BLAKE2b-256 hash of a content.
public struct ContentHash: Hashable, Comparable, Sendable {
  /// The number of bytes of a hash.
  public static let byteCount = 32
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// Creates a hash from 32 bytes; nil for another number of bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Compares the bytes.
  ///
  /// The order has no meaning.
  public static func < (one: ContentHash, other: ContentHash) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
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
  fileprivate static let isReady = sodium_init() >= 0
}

/// Computes the hash of a content whose bytes come in parts.
public final class ContentHasher: @unchecked Sendable {
  // Unchecked: the owner serializes all calls.

  private let memory = UnsafeMutableRawPointer.allocate(
    byteCount: crypto_generichash_statebytes(), alignment: 64)
  private var state: OpaquePointer { OpaquePointer(memory) }

  /// Begins with no bytes.
  public init() {
    _ = ContentHash.isReady
    _ = crypto_generichash_init(state, nil, 0, ContentHash.byteCount)
  }

  deinit { memory.deallocate() }

  /// Adds the next bytes.
  public func update(_ bytes: UnsafeRawBufferPointer) {
    // libsodium reads bytes, whatever their type is in Swift.
    _ = crypto_generichash_update(
      state, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(bytes.count))
  }

  /// Returns the hash of all bytes; no bytes may be added afterwards.
  public func finish() -> ContentHash {
    var bytes = [UInt8](repeating: 0, count: ContentHash.byteCount)
    _ = crypto_generichash_final(state, &bytes, bytes.count)
    guard let hash = ContentHash(bytes: bytes) else { preconditionFailure("the hash has 32 bytes") }
    return hash
  }
}

extension ContentHash: CustomStringConvertible {
  /// 64 hexadecimal digits.
  public var description: String {
    Hexadecimal.digits(of: bytes)
  }
}
