internal import LinkModel

/// The sealing of messages about drags.
///
/// A sealed message is: version (1 byte), epoch (4 bytes, most significant first), nonce
/// (24 bytes), ciphertext. The ciphertext is authenticated together with the recipient.
enum DragSeal {
  static let version: UInt8 = 1
  private static let headerSize = 5 + Sodium.nonceSize

  static func seal(_ plain: [UInt8], for recipient: MachineKey, key: GroupKey) -> [UInt8] {
    let header = [version] + withUnsafeBytes(of: key.epoch.bigEndian, Array.init)
    let nonce = Sodium.random(Sodium.nonceSize)
    return header + nonce
      + Sodium.seal(plain, data: data(header[...], recipient), nonce: nonce, key: key.dragKey)
  }

  /// The result of opening a message.
  enum Opening: Hashable {
    case plain([UInt8])
    /// The sender uses another key, because it has not read the removal of a machine yet, or
    /// because this machine has not.
    case otherKey
    case altered
  }

  /// Opens a message.
  ///
  /// Only the latest key is valid, because a removed machine has the earlier keys.
  static func open(_ bytes: [UInt8], for recipient: MachineKey, keys: GroupKeys) -> Opening {
    guard bytes.count >= headerSize + Sodium.tagSize, bytes[0] == version else { return .altered }
    let epoch = bytes[1..<5].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let key = keys.latest
    guard epoch <= key.epoch else { return .otherKey }
    guard let earlier = keys[epoch],
      let plain = Sodium.open(
        bytes[headerSize...], data: data(bytes[..<5], recipient),
        nonce: Array(bytes[5..<headerSize]), key: earlier.dragKey)
    else { return .altered }
    return epoch == key.epoch ? .plain(plain) : .otherKey
  }

  private static func data(_ header: ArraySlice<UInt8>, _ recipient: MachineKey) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(fixed: header)
    writer.write(recipient)
    return writer.bytes
  }
}
