/// A key that all machines of the group have.
///
/// Removing a machine starts the next epoch with a new key.
public struct GroupKey: Hashable, Sendable {
  /// The number of the key, from 1.
  public let epoch: UInt32
  /// The secret: 32 bytes.
  let secret: [UInt8]

  let entryKey: [UInt8]
  let memberKey: [UInt8]
  let chunkKey: [UInt8]
  let dragKey: [UInt8]

  /// Creates a new key.
  public static func random(epoch: UInt32) -> GroupKey {
    GroupKey(epoch: epoch, secret: Sodium.random(Sodium.keySize))
  }

  /// Creates a key from a secret of 32 bytes.
  init(epoch: UInt32, secret: [UInt8]) {
    precondition(secret.count == Sodium.keySize)
    self.epoch = epoch
    self.secret = secret
    // Each purpose has a separate key, so bytes sealed for one purpose are never valid for another.
    entryKey = Sodium.hash(Array("dragboard-link entry".utf8), key: secret)
    memberKey = Sodium.hash(Array("dragboard-link member".utf8), key: secret)
    chunkKey = Sodium.hash(Array("dragboard-link chunk".utf8), key: secret)
    dragKey = Sodium.hash(Array("dragboard-link drag".utf8), key: secret)
  }
}
