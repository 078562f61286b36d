internal import CSodium

/// The functions of libsodium that the link uses.
enum Sodium {
  static let keySize = 32
  static let hashSize = 32
  static let nonceSize = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
  static let tagSize = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)

  /// Initializes the library once; fails only if the system has no source of random numbers.
  private static let isReady: Bool = sodium_init() >= 0

  private static func prepare() {
    precondition(isReady, "libsodium cannot be initialized")
  }

  /// Returns `count` bytes that a C function writes; nil if the function fails.
  static func bytes(
    _ count: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Bool
  ) -> [UInt8]? {
    prepare()
    var bytes = [UInt8](repeating: 0, count: count)
    return fill(&bytes) ? bytes : nil
  }

  /// Returns random bytes.
  static func random(_ count: Int) -> [UInt8] {
    prepare()
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
  }

  /// Returns the BLAKE2b-256 hash of bytes, optionally with a key.
  static func hash(_ bytes: [UInt8], key: [UInt8] = []) -> [UInt8] {
    prepare()
    var hash = [UInt8](repeating: 0, count: hashSize)
    _ = crypto_generichash(&hash, hashSize, bytes, UInt64(bytes.count), key, key.count)
    return hash
  }

  /// Encrypts bytes with XChaCha20-Poly1305 and authenticates them together with `data`.
  ///
  /// - Returns: `prefix`, followed by the encrypted bytes.
  static func seal(
    _ plain: [UInt8], data: [UInt8], nonce: [UInt8], key: [UInt8], after prefix: [UInt8] = []
  ) -> [UInt8] {
    prepare()
    var sealed = prefix + [UInt8](repeating: 0, count: plain.count + tagSize)
    sealed.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
        start + prefix.count, nil, plain, UInt64(plain.count), data, UInt64(data.count), nil, nonce,
        key)
    }
    return sealed
  }

  /// Decrypts bytes; nil if the bytes were altered, or if `data`, the nonce or the key are not
  /// those of the encryption.
  static func open(
    _ sealed: ArraySlice<UInt8>, data: [UInt8], nonce: [UInt8], key: [UInt8]
  ) -> [UInt8]? {
    guard sealed.count >= tagSize else { return nil }
    return sealed.withUnsafeBufferPointer { sealed in
      guard let start = sealed.baseAddress else { return nil }
      return bytes(sealed.count - tagSize) { plain in
        crypto_aead_xchacha20poly1305_ietf_decrypt(
          plain, nil, nil, start, UInt64(sealed.count), data, UInt64(data.count), nonce, key) == 0
      }
    }
  }
}
