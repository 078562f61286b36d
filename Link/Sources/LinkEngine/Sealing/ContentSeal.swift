internal import LinkModel

/// The sealing (authenticated encryption) of a content: of its chunks, and of a manifest that
/// contains the number of bytes.
///
/// A sealed part is: version (1 byte), epoch (4 bytes, most significant first), nonce (24 bytes),
/// ciphertext. The ciphertext is authenticated together with the hash of the content and the index
/// of the part.
enum ContentSeal {
  static let version: UInt8 = 1
  /// The maximum number of bytes of a chunk before sealing.
  static let chunkSize = 512 << 10
  /// The index of the manifest, which no chunk has.
  static let manifest = UInt32.max
  private static let headerSize = 5 + Sodium.nonceSize

  static func seal(
    _ plain: [UInt8], _ index: UInt32, of hash: ContentHash, key: GroupKey
  ) -> [UInt8] {
    let header = [version] + withUnsafeBytes(of: key.epoch.bigEndian, Array.init)
    let nonce = Sodium.random(Sodium.nonceSize)
    return Sodium.seal(
      plain, data: data(header[...], index, hash), nonce: nonce, key: key.chunkKey,
      after: header + nonce)
  }

  static func open(
    _ bytes: [UInt8], _ index: UInt32, of hash: ContentHash, keys: GroupKeys
  ) throws(LinkError) -> [UInt8] {
    guard bytes.count >= headerSize + Sodium.tagSize else { throw .alteredContent(hash) }
    guard bytes[0] <= version else { throw .laterVersion(bytes[0]) }
    let epoch = bytes[1..<5].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard bytes[0] == version, epoch > 0 else { throw .alteredContent(hash) }
    guard let key = keys[epoch] else { throw .unknownKey(epoch: epoch) }
    let plain = Sodium.open(
      bytes[headerSize...], data: data(bytes[..<5], index, hash),
      nonce: Array(bytes[5..<headerSize]), key: key.chunkKey)
    guard let plain else { throw .alteredContent(hash) }
    return plain
  }

  private static func data(
    _ header: ArraySlice<UInt8>, _ index: UInt32, _ hash: ContentHash
  ) -> [UInt8] {
    header + hash.bytes + withUnsafeBytes(of: index.bigEndian, Array.init)
  }
}
