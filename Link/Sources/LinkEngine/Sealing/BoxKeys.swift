internal import CSodium

/// The key pair of a machine.
///
/// Other machines encrypt a new group key with its public key.
public struct BoxKeys: Hashable, Sendable {
  /// The public key: 32 bytes.
  public let publicKey: [UInt8]
  /// The secret key: 32 bytes.
  let secretKey: [UInt8]

  /// The number of bytes of a key.
  static let size = Int(crypto_box_PUBLICKEYBYTES)
  private static let overhead = crypto_box_sealbytes()

  /// Creates a new pair.
  public static func random() -> BoxKeys {
    BoxKeys(secretKey: Sodium.random(size))
  }

  /// Creates the pair of a secret key of 32 bytes.
  init(secretKey: [UInt8]) {
    precondition(secretKey.count == Self.size)
    self.secretKey = secretKey
    var publicKey = [UInt8](repeating: 0, count: Self.size)
    _ = crypto_scalarmult_base(&publicKey, secretKey)
    self.publicKey = publicKey
  }

  /// Encrypts bytes for the owner of a public key; nil if the key is invalid.
  static func seal(_ plain: [UInt8], for publicKey: [UInt8]) -> [UInt8]? {
    guard publicKey.count == size else { return nil }
    return Sodium.bytes(plain.count + overhead) { sealed in
      crypto_box_seal(sealed, plain, UInt64(plain.count), publicKey) == 0
    }
  }

  /// Decrypts bytes; nil if they were altered or encrypted for another pair.
  func open(_ sealed: [UInt8]) -> [UInt8]? {
    guard sealed.count >= Self.overhead else { return nil }
    return Sodium.bytes(sealed.count - Self.overhead) { plain in
      crypto_box_seal_open(plain, sealed, UInt64(sealed.count), publicKey, secretKey) == 0
    }
  }
}
