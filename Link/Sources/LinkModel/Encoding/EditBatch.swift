/// A sequence of edits of one machine, which enter the log together.
public struct EditBatch: Hashable, Sendable {
  /// The maximum number of bytes of a batch.
  ///
  /// A batch with one edit may be larger.
  public static let maxBytes = 256 << 10
  /// The maximum number of edits of a batch.
  public static let maxEdits = 4_096

  /// The machine.
  public let machine: MachineKey
  /// The number of the batch among the batches of its machine, from 1.
  ///
  /// It identifies a batch that was appended twice because the answer to the first attempt was
  /// lost.
  public let number: UInt64
  /// The edits, in order.
  public let edits: [SharedEdit]
  /// The contents that the content store does not have and that this machine needs.
  ///
  /// Machines that have them store them again.
  public let requests: [ContentHash]
  /// The hash of the board before this batch; nil in most batches.
  ///
  /// Machines compare it with the hash of their own board.
  public let checkpoint: ContentHash?

  /// Creates a batch.
  public init(
    machine: MachineKey, number: UInt64, edits: [SharedEdit], requests: [ContentHash] = [],
    checkpoint: ContentHash? = nil
  ) {
    self.machine = machine
    self.number = number
    self.edits = edits
    self.requests = requests
    self.checkpoint = checkpoint
  }

  private static let version: UInt8 = 2

  /// The binary encoding: version, machine, number of the batch, count of edits, edits.
  ///
  /// Version 2 continues: count of requests, requests, count of checkpoints (0 or 1), checkpoint. A
  /// batch without them has version 1.
  public var bytes: [UInt8] {
    let isShort = requests.isEmpty && checkpoint == nil
    var writer = ByteWriter()
    writer.write(byte: isShort ? 1 : Self.version)
    writer.write(machine)
    writer.write(number)
    writer.write(edits.count)
    for edit in edits { writer.write(edit) }
    guard !isShort else { return writer.bytes }
    for hashes in [requests, checkpoint.map { [$0] } ?? []] {
      writer.write(hashes.count)
      for hash in hashes { writer.write(fixed: hash.bytes) }
    }
    return writer.bytes
  }

  /// Decodes a batch.
  public init(bytes: [UInt8]) throws(EncodingDamage) {
    var reader = ByteReader(bytes)
    let version = try reader.readByte()
    guard version <= Self.version else { throw .laterVersion(version) }
    guard version >= 1 else { throw .invalid }
    (machine, number) = (try reader.readKey(), try reader.readNumber())
    // `UInt64.max` is invalid, because the next batch could not have a higher number.
    guard 1..<UInt64.max ~= number else { throw .invalid }
    let count = try reader.readCount(ofSize: 17)
    var edits: [SharedEdit] = []
    edits.reserveCapacity(min(count, Self.maxEdits))
    for _ in 0..<count { edits.append(try reader.readEdit()) }
    self.edits = edits
    (requests, checkpoint) =
      version >= 2
      ? (try reader.readHashes(max: .max), try reader.readHashes(max: 1).first) : ([], nil)
    try reader.finish()
  }
}

extension ByteReader {
  fileprivate mutating func readHashes(max: Int) throws(EncodingDamage) -> [ContentHash] {
    let count = try readCount(ofSize: ContentHash.byteCount)
    guard count <= max else { throw .invalid }
    var hashes: [ContentHash] = []
    for _ in 0..<count {
      guard let hash = ContentHash(bytes: try read(fixed: ContentHash.byteCount)) else {
        throw .invalid
      }
      hashes.append(hash)
    }
    return hashes
  }
}
