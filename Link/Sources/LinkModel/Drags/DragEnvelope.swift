/// A message about drags with its sender, as it is sealed.
public struct DragEnvelope: Hashable, Sendable {
  /// The machine that sent the message.
  public let sender: MachineKey
  /// The run of the sender's link: a random number.
  public let run: UInt64
  /// The number of the message among those of this run to this recipient, from 1.
  public let number: UInt64
  /// The message.
  public let message: DragMessage

  /// Creates an envelope.
  public init(sender: MachineKey, run: UInt64, number: UInt64, message: DragMessage) {
    (self.sender, self.run, self.number, self.message) = (sender, run, number, message)
  }

  private static let version: UInt8 = 1

  /// The encoded envelope.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: Self.version)
    writer.write(sender)
    writer.write(run)
    writer.write(number)
    message.encode(to: &writer)
    return writer.bytes
  }

  /// Decodes an envelope.
  public init(bytes: [UInt8]) throws(EncodingDamage) {
    var reader = ByteReader(bytes)
    let version = try reader.readByte()
    guard version == Self.version else { throw .laterVersion(version) }
    sender = try reader.readKey()
    run = try reader.readNumber()
    number = try reader.readNumber()
    message = try DragMessage(from: &reader)
    try reader.finish()
  }
}

/// The order of the messages of other machines, by which old and repeated messages are detected.
///
/// A machine numbers its messages to each recipient. The first message of a new run could be an old
/// message of an earlier run. So a new run is known only after it has replied to a request: the
/// number of the request is random, and no earlier message contains it.
public struct DragPeers: Sendable {
  /// The result for a message.
  public enum Verdict: Hashable, Sendable {
    /// The message is new.
    case new
    /// The message is new, and the first message of a new run.
    case newRun
    /// The message belongs to a run that is not known.
    case unknownRun
    /// The message is a repetition, or older than another message.
    case repeated
  }

  private var peers: [MachineKey: (run: UInt64, number: UInt64)] = [:]

  /// Creates an empty list.
  public init() {}

  /// Judges a message.
  ///
  /// `isAwaited` is true if the message is the reply to a request that has no reply yet.
  public mutating func judge(_ envelope: DragEnvelope, isAwaited: Bool) -> Verdict {
    let (sender, run, number) = (envelope.sender, envelope.run, envelope.number)
    guard let peer = peers[sender], peer.run == run else {
      guard isAwaited else { return .unknownRun }
      peers[sender] = (run, number)
      return .newRun
    }
    guard number > peer.number else { return .repeated }
    peers[sender] = (run, number)
    return .new
  }

  /// Forgets machines that have left the group.
  public mutating func keep(_ isMember: (MachineKey) -> Bool) {
    peers = peers.filter { isMember($0.key) }
  }
}

/// The way of sealed messages between machines.
public protocol DragTransport: Sendable {
  /// Sends a message to a machine; the messages to a machine arrive in the order of the calls.
  func send(_ message: [UInt8], to machine: MachineKey) async throws
  /// Waits for the next event.
  ///
  /// - Throws: `CancellationError` after the task was cancelled.
  func next() async throws -> DragArrival
}

/// An event of the way of messages.
public enum DragArrival: Hashable, Sendable {
  /// Messages can be sent and arrive from now on.
  case connected
  /// The connection is lost; messages may be lost, too.
  case lost
  /// A message has arrived.
  case message([UInt8])
  /// A message was altered, or sealed for another machine or purpose.
  case altered
}
