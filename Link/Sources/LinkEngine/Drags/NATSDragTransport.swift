internal import CNATS
internal import Dispatch
public import LinkModel
internal import Synchronization

/// The messages about drags over subjects of a NATS server, which does not store them.
///
/// Each machine has a subject. A lost connection is reported and not repaired silently, because
/// messages may be lost with it.
public final class NATSDragTransport: DragTransport {
  private let server: ServerAddress
  private let keys: GroupKeys
  private let own: MachineKey
  private let mailbox = Mutex<DragMailbox?>(nil)
  private let backoff = Mutex(Backoff())
  private let sending = BlockingCalls("drags.send")
  private let receiving = BlockingCalls("drags.receive")

  /// Creates the transport of a machine, without a connection.
  public init(_ configuration: LinkConfiguration) {
    server = configuration.server
    keys = configuration.keys
    own = configuration.machine
  }

  /// Sends a message to a machine.
  ///
  /// - Throws: `LinkError.offline` if the server cannot be reached now.
  public func send(_ message: [UInt8], to machine: MachineKey) async throws {
    guard let mailbox = mailbox.withLock(\.self) else {
      throw LinkError.offline(server: server.label)
    }
    let subject = subject(of: machine)
    try await sending.run { [keys] in
      try mailbox.publish(DragSeal.seal(message, for: machine, key: keys.latest), on: subject)
    }
  }

  /// Waits for the next message, or for a change of the connection.
  ///
  /// - Throws: `CancellationError` after the task was cancelled.
  public func next() async throws -> DragArrival {
    guard let mailbox = mailbox.withLock(\.self) else { return try await connect() }
    while true {
      do {
        let bytes = try await withTaskCancellationHandler {
          try await receiving.run { try mailbox.next() }
        } onCancel: {
          mailbox.close()
        }
        guard let bytes else { continue }
        switch DragSeal.open(bytes, for: own, keys: keys) {
        case .plain(let plain): return .message(plain)
        case .otherKey: continue
        case .altered: return .altered
        }
      } catch {
        self.mailbox.withLock { $0 = nil }
        try Task.checkCancellation()
        return .lost
      }
    }
  }

  private func connect() async throws -> DragArrival {
    while true {
      try await Task.sleep(for: backoff.withLock { $0.next() })
      do {
        let subject = subject(of: own)
        let new = try await receiving.run { [server] in try DragMailbox(at: subject, of: server) }
        mailbox.withLock { $0 = new }
        return .connected
      } catch is LinkError {}
    }
  }

  func subject(of machine: MachineKey) -> String {
    var writer = ByteWriter()
    writer.write(machine)
    return "dragboard.drags.\(keys.name(of: "drags", writer.bytes))"
  }
}

/// A subscription to the subject of a machine, and the connection of the subscription.
///
/// The reason for a connection of its own is that of ``StreamSubscription``. In addition, a
/// transfer does not delay edits of boards.
private final class DragMailbox: Sendable {
  /// The maximum number and bytes of messages that wait to be read; more messages end the
  /// subscription.
  private static let (maxMessages, maxBytes): (Int32, Int32) = (512, 32 << 20)

  private let connection: NATSConnection
  nonisolated(unsafe) private let subscription: OpaquePointer

  /// Connects and subscribes; blocks until the server has answered.
  init(at subject: String, of server: ServerAddress) throws(LinkError) {
    let connection = try NATSConnection(to: server, waits: false, reconnects: false)
    self.connection = connection
    var subscription: OpaquePointer?
    var status = connection.subscribe(to: subject, &subscription)
    guard status == NATS_OK, let subscription else { throw connection.error(status) }
    self.subscription = subscription
    status = natsSubscription_SetPendingLimits(subscription, Self.maxMessages, Self.maxBytes)
    guard status == NATS_OK else { throw connection.error(status) }
    try connection.flush()
  }

  deinit {
    nonisolated(unsafe) let subscription = subscription
    let connection = connection
    DispatchQueue.global().async {
      connection.close()
      natsSubscription_Destroy(subscription)
    }
  }

  func publish(_ bytes: [UInt8], on subject: String) throws(LinkError) {
    try connection.publish(bytes, on: subject)
  }

  /// Returns the next message; nil if none has arrived before the timeout.
  func next() throws(LinkError) -> [UInt8]? {
    try NATSMessage.receive(from: subscription, of: connection) { NATSMessage.bytes(of: $0) }
  }

  /// Closes the connection; a waiting `next` throws an error.
  func close() { DispatchQueue.global().async { self.connection.close() } }
}
