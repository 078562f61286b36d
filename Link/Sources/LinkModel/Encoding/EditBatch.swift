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

  /// Creates a batch.
  public init(machine: MachineKey, number: UInt64, edits: [SharedEdit]) {
    self.machine = machine
    self.number = number
    self.edits = edits
  }

  private static let version: UInt8 = 1

  /// The binary encoding: version, machine, number of the batch, count of edits, edits.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: Self.version)
    writer.write(machine)
    writer.write(number)
    writer.write(edits.count)
    for edit in edits { writer.write(edit) }
    return writer.bytes
  }

  /// Returns whether a later version of the program wrote the bytes of a batch.
  static func isLaterVersion(_ bytes: [UInt8]) -> Bool { bytes.first.map { $0 > version } ?? false }

  /// Decodes a batch.
  public init(bytes: [UInt8]) throws(EncodingDamage) {
    var reader = ByteReader(bytes)
    let version = try reader.readByte()
    guard version <= Self.version else { throw .laterVersion(version) }
    guard version == Self.version else { throw .invalid }
    (machine, number) = (try reader.readKey(), try reader.readNumber())
    // `UInt64.max` is invalid, because the next batch could not have a higher number.
    guard 1..<UInt64.max ~= number else { throw .invalid }
    let count = try reader.readCount(ofSize: 17)
    var edits: [SharedEdit] = []
    edits.reserveCapacity(min(count, Self.maxEdits))
    for _ in 0..<count { edits.append(try reader.readEdit()) }
    try reader.finish()
    self.edits = edits
  }
}
