internal import LinkModel

/// A position in a log: the number of an entry and the hash of all entries up to it.
public struct ChainHead: Hashable, Sendable {
  /// The number of the entry; 0 before the first entry.
  public let number: UInt64
  /// The hash of the previous entry's `hash`, followed by this entry's sealed bytes: 32 bytes.
  public let hash: [UInt8]
  /// The highest epoch of the keys of the entries; 0 before the first entry.
  public let epoch: UInt32
  /// Whether every later entry of a machine has a member seal.
  ///
  /// An earlier version wrote entries without it.
  public let requiresSeal: Bool

  init(number: UInt64, hash: [UInt8], epoch: UInt32, requiresSeal: Bool = false) {
    self.number = number
    self.hash = hash
    self.epoch = epoch
    self.requiresSeal = requiresSeal
  }
}

/// The sealing (authenticated encryption) of the entries of a log.
///
/// A sealed entry is: version (1 byte), epoch (4 bytes, most significant first), nonce (24 bytes),
/// ciphertext, member seal (16 bytes). The ciphertext is authenticated together with the log, the
/// number of the entry and the hash of the previous entry. So an entry that the server altered or
/// moved cannot be opened. The member seal authenticates the bytes before it, but not the position.
/// So bytes that no machine of the group has written can be distinguished from an entry that the
/// server has moved: the former are skipped, the latter is an error.
///
/// Version 1 has no member seal.
enum EntryChain {
  static let version: UInt8 = 2
  private static let headerSize = 5 + Sodium.nonceSize
  private static let sealSize = 16
  /// The number of bytes that sealing adds to a batch.
  static let overhead = headerSize + Sodium.tagSize + sealSize

  static func start(of log: LogID) -> ChainHead {
    ChainHead(
      number: 0, hash: Sodium.hash(Array("dragboard-link log".utf8) + log.bytes), epoch: 0)
  }

  /// Seals the batch that follows the entry `head`.
  static func seal(
    _ batch: [UInt8], after head: ChainHead, in log: LogID, key: GroupKey
  ) -> (bytes: [UInt8], head: ChainHead) {
    let header = [version] + withUnsafeBytes(of: key.epoch.bigEndian, Array.init)
    let nonce = Sodium.random(Sodium.nonceSize)
    let sealed = Sodium.seal(
      batch, data: data(header[...], head, log), nonce: nonce, key: key.entryKey)
    let body = header + nonce + sealed
    let bytes = body + memberSeal(of: body[...], log, key)
    return (bytes, next(bytes, head, epoch: key.epoch, requiresSeal: true))
  }

  /// Returns the epoch of the key that an entry names; nil if the bytes are not an entry.
  static func epoch(of bytes: [UInt8]) -> UInt32? {
    guard let version = bytes.first, version > 0,
      bytes.count >= (version == 1 ? overhead - sealSize : overhead)
    else { return nil }
    let epoch = bytes[1..<5].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return epoch > 0 ? epoch : nil
  }

  /// Whether a machine with a key has written an entry, at any position of the log.
  static func isSealed(_ bytes: [UInt8], in log: LogID, by key: GroupKey) -> Bool {
    bytes.count >= overhead && bytes[0] > 1
      && memberSeal(of: bytes.dropLast(sealSize), log, key) == bytes.suffix(sealSize)
  }

  /// Opens the entry that follows the entry `head`.
  static func open(
    _ bytes: [UInt8], after head: ChainHead, in log: LogID, key: GroupKey
  ) throws(LinkError) -> (batch: [UInt8], head: ChainHead) {
    guard let epoch = epoch(of: bytes) else { throw .alteredEntry(head.number + 1) }
    guard bytes[0] <= version else { throw .laterVersion(bytes[0]) }
    let hasSeal = bytes[0] > 1
    guard !hasSeal || isSealed(bytes, in: log, by: key) else {
      throw .alteredEntry(head.number + 1)
    }
    // A removed machine still has the earlier keys, so an entry with an earlier key is refused.
    guard epoch >= head.epoch else { throw .retiredKey(head.number + 1) }
    guard epoch == key.epoch else { throw .unknownKey(epoch: epoch) }
    let sealed = bytes.dropLast(hasSeal ? sealSize : 0)[headerSize...]
    let batch = Sodium.open(
      sealed, data: data(bytes[..<5], head, log), nonce: Array(bytes[5..<headerSize]),
      key: key.entryKey)
    guard let batch else { throw .alteredEntry(head.number + 1) }
    return (
      batch, next(bytes, head, epoch: key.epoch, requiresSeal: head.requiresSeal || hasSeal)
    )
  }

  /// Returns the position after bytes that no machine of the group has written.
  static func skip(_ bytes: [UInt8], after head: ChainHead) -> ChainHead {
    next(bytes, head, epoch: head.epoch, requiresSeal: true)
  }

  /// Whether bytes are the entry that leads from one position to the next.
  static func leads(_ bytes: [UInt8], from head: ChainHead, to next: ChainHead) -> Bool {
    next.number == head.number + 1 && Sodium.hash(head.hash + bytes) == next.hash
  }

  private static func next(
    _ bytes: [UInt8], _ head: ChainHead, epoch: UInt32, requiresSeal: Bool
  ) -> ChainHead {
    ChainHead(
      number: head.number + 1, hash: Sodium.hash(head.hash + bytes), epoch: epoch,
      requiresSeal: requiresSeal)
  }

  private static func data(
    _ header: ArraySlice<UInt8>, _ head: ChainHead, _ log: LogID
  ) -> [UInt8] {
    header + log.bytes + withUnsafeBytes(of: (head.number + 1).bigEndian, Array.init) + head.hash
  }

  private static func memberSeal(
    of body: ArraySlice<UInt8>, _ log: LogID, _ key: GroupKey
  ) -> ArraySlice<UInt8> {
    Sodium.hash(log.bytes + body, key: key.memberKey).prefix(sealSize)
  }
}
