public import LinkModel

/// A machine of a group.
public struct Machine: Hashable, Sendable {
  /// The identity.
  public let key: MachineKey
  /// The name for display.
  public let name: String
  /// The key with which other machines seal a new group key for this machine: 32 bytes.
  public let publicKey: [UInt8]
}

/// A change of a group, stored as an entry of the group's log.
enum GroupEvent: Hashable, Sendable {
  /// A machine has joined.
  case joined(Machine)
  /// A board is shared under a name.
  case shared(LogID, board: String)
  /// A board is no longer shared.
  case unshared(LogID)
  /// A machine was removed. For each remaining machine, `boxes` contains the key of the next epoch,
  /// encrypted for this machine.
  case removed(MachineKey, epoch: UInt32, boxes: [MachineKey: [UInt8]])
  /// The public key with which the author logs in at the server of another machine: 32 bytes.
  case login([UInt8])
  /// Another machine runs the server now.
  case moved(HostMove)

  /// The version of each event: an earlier program stops at a later version.
  private var version: UInt8 {
    switch self {
    case .login, .moved: 2
    default: 1
    }
  }

  private static let maxVersion: UInt8 = 2
  private static let maxNameBytes = 1_024

  private enum Code: UInt8 {
    case joined = 1
    case shared = 2
    case unshared = 3
    case removed = 4
    case login = 5
    case moved = 6
  }

  /// Returns the batch with this event and the machine that makes the change.
  func batch(by author: MachineKey) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: version)
    writer.write(author)
    switch self {
    case .joined(let machine):
      writer.write(byte: Code.joined.rawValue)
      writer.write(machine.key)
      writer.write(machine.name)
      writer.write(machine.publicKey)
    case .shared(let log, let board):
      writer.write(byte: Code.shared.rawValue)
      writer.write(log)
      writer.write(board)
    case .unshared(let log):
      writer.write(byte: Code.unshared.rawValue)
      writer.write(log)
    case .removed(let machine, let epoch, let boxes):
      writer.write(byte: Code.removed.rawValue)
      writer.write(machine)
      writer.write(UInt64(epoch))
      writer.write(boxes.count)
      for (machine, box) in boxes.sorted(by: { $0.key < $1.key }) {
        writer.write(machine)
        writer.write(box)
      }
    case .login(let key):
      writer.write(byte: Code.login.rawValue)
      writer.write(fixed: key)
    case .moved(let move):
      writer.write(byte: Code.moved.rawValue)
      writer.write(move.epoch)
      writer.write(move.machine)
      writer.write(move.url)
      writer.write(fixed: move.certificate.bytes)
    }
    return writer.bytes
  }

  /// Reads a batch.
  static func read(
    _ batch: [UInt8]
  ) throws(LinkError) -> (event: GroupEvent, author: MachineKey) {
    do {
      return try decode(batch)
    } catch EncodingDamage.laterVersion(let version) {
      throw .laterVersion(version)
    } catch {
      throw .invalidGroup("an entry cannot be read (\(error))")
    }
  }

  private static func decode(_ batch: [UInt8]) throws -> (event: GroupEvent, author: MachineKey) {
    var reader = ByteReader(batch)
    let version = try reader.readByte()
    guard (1...Self.maxVersion).contains(version) else {
      throw EncodingDamage.laterVersion(version)
    }
    let author: MachineKey = try reader.readKey()
    guard let code = Code(rawValue: try reader.readByte()) else { throw EncodingDamage.invalid }
    let event: GroupEvent
    switch code {
    case .joined:
      event = .joined(
        Machine(
          key: try reader.readKey(), name: try reader.readText(max: maxNameBytes),
          publicKey: try reader.readData()))
    case .shared:
      event = .shared(try reader.readKey(), board: try reader.readText(max: maxNameBytes))
    case .unshared: event = .unshared(try reader.readKey())
    case .removed:
      let machine: MachineKey = try reader.readKey()
      guard let epoch = UInt32(exactly: try reader.readNumber()) else {
        throw EncodingDamage.invalid
      }
      var boxes: [MachineKey: [UInt8]] = [:]
      for _ in 0..<(try reader.readCount(ofSize: 17)) {
        boxes[try reader.readKey()] = try reader.readData()
      }
      event = .removed(machine, epoch: epoch, boxes: boxes)
    case .login: event = .login(try reader.read(fixed: SigningKey.size))
    case .moved:
      event = .moved(
        HostMove(
          epoch: try reader.readNumber(), machine: try reader.readKey(),
          url: try reader.readText(max: maxNameBytes),
          certificate: ServerCertificate(bytes: try reader.read(fixed: ServerCertificate.size))))
    }
    try reader.finish()
    return (event, author)
  }
}
