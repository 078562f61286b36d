internal import LinkModel

/// A position in a log: the number of an entry and the hash of all entries up to it.
public struct ChainHead: Hashable, Sendable {
  /// The number of the entry; 0 before the first entry.
  public let number: UInt64
  /// The hash of the previous entry's `hash`, followed by this entry's sealed bytes: 32 bytes.
  public let hash: [UInt8]
  /// The epoch of the entry's key; 0 before the first entry.
  public let epoch: UInt32
}

/// The sealing (authenticated encryption) of the entries of a log.
///
/// A sealed entry is: version (1 byte), epoch (4 bytes, most significant first), nonce (24 bytes),
/// ciphertext. The ciphertext is authenticated together with the log, the number of the entry and
/// the hash of the previous entry. So an entry that the server altered or moved cannot be opened.
enum EntryChain {
  static let version: UInt8 = 1
  private static let headerSize = 5 + Sodium.nonceSize
  /// The number of bytes that sealing adds to a batch.
  static let overhead = headerSize + Sodium.tagSize

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
    let bytes = header + nonce + sealed
    return (bytes, next(bytes, head, epoch: key.epoch))
  }

  /// Returns the epoch of the key that seals an entry.
  static func epoch(of bytes: [UInt8], after head: ChainHead) throws(LinkError) -> UInt32 {
    guard bytes.count >= overhead else { throw .alteredEntry(head.number + 1) }
    guard bytes[0] <= version else { throw .laterVersion(bytes[0]) }
    let epoch = bytes[1..<5].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard bytes[0] == version, epoch > 0 else { throw .alteredEntry(head.number + 1) }
    // A removed machine still has the earlier keys, so an entry with an earlier key is refused.
    guard epoch >= head.epoch else { throw .retiredKey(head.number + 1) }
    return epoch
  }

  /// Opens the entry that follows the entry `head`.
  static func open(
    _ bytes: [UInt8], after head: ChainHead, in log: LogID, key: GroupKey
  ) throws(LinkError) -> (batch: [UInt8], head: ChainHead) {
    guard try epoch(of: bytes, after: head) == key.epoch else {
      throw .unknownKey(epoch: key.epoch)
    }
    let batch = Sodium.open(
      Array(bytes[headerSize...]), data: data(bytes[..<5], head, log),
      nonce: Array(bytes[5..<headerSize]), key: key.entryKey)
    guard let batch else { throw .alteredEntry(head.number + 1) }
    return (batch, next(bytes, head, epoch: key.epoch))
  }

  /// Returns the position after an entry without opening the entry; nil if its header is invalid.
  static func head(of bytes: [UInt8], after head: ChainHead) -> ChainHead? {
    (try? epoch(of: bytes, after: head)).map { next(bytes, head, epoch: $0) }
  }

  private static func next(_ bytes: [UInt8], _ head: ChainHead, epoch: UInt32) -> ChainHead {
    ChainHead(number: head.number + 1, hash: Sodium.hash(head.hash + bytes), epoch: epoch)
  }

  private static func data(
    _ header: ArraySlice<UInt8>, _ head: ChainHead, _ log: LogID
  ) -> [UInt8] {
    header + log.bytes + withUnsafeBytes(of: (head.number + 1).bigEndian, Array.init) + head.hash
  }
}
