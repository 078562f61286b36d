internal import CSodium

/// An Ed25519 key pair.
///
/// A machine logs in with one, and a server proves its identity with one.
public struct SigningKey: Hashable, Sendable {
  /// The number of bytes of a seed and of a public key.
  static let size = Int(crypto_sign_SEEDBYTES)
  static let signatureSize = Int(crypto_sign_BYTES)

  /// The secret from which both keys are computed: 32 bytes.
  let seed: [UInt8]
  /// The public key: 32 bytes.
  public let publicKey: [UInt8]
  private let secretKey: [UInt8]

  /// Creates the pair of a seed of 32 bytes.
  init(seed: [UInt8]) {
    precondition(seed.count == Self.size)
    self.seed = seed
    var publicKey = [UInt8](repeating: 0, count: Self.size)
    var secretKey = [UInt8](repeating: 0, count: crypto_sign_secretkeybytes())
    _ = crypto_sign_seed_keypair(&publicKey, &secretKey, seed)
    (self.publicKey, self.secretKey) = (publicKey, secretKey)
  }

  /// Creates a new pair.
  static func random() -> SigningKey { SigningKey(seed: Sodium.random(size)) }

  /// Returns the signature of bytes: 64 bytes.
  func signature(of bytes: [UInt8]) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: Self.signatureSize)
    _ = crypto_sign_detached(&signature, nil, bytes, UInt64(bytes.count), secretKey)
    return signature
  }
}
