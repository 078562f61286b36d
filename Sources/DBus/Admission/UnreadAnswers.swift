/// The measurement of the answers that clients have not read.
///
/// The bus stores unread answers in memory that all clients share, and accepts only a limited
/// number of bytes from the server. A client that reads nothing would use all of this memory, and
/// no client would get an answer. Only the bus knows the backlog. If it has no statistics, the
/// backlog is assumed to be zero.
final class UnreadAnswers {
  /// The maximum number of unread bytes of one client without a sandbox, and of all clients of a
  /// sandbox.
  static let maxBytes = 64 << 20
  /// When this number of bytes may be unread, the bus is asked for the real number.
  private static let minBytesToAsk = 1 << 20
  // A refusal is an answer of about `refusalBytes`, which may be unread, too. If more than
  // `maxBytesWithRefusals` are unread, calls are dropped without an answer. This is the last
  // resort, because the bus stores each unanswered call, and becomes slower.
  private static let refusalBytes = 512
  private static let maxBytesWithRefusals = 512 << 20
  /// The time after which the bus is asked again.
  private static let pause = Duration.milliseconds(20)

  struct ClientState {
    /// The number of unread bytes; a file descriptor counts as 1 MiB.
    fileprivate(set) var byteCount = 0
    /// Whether a call to the bus is pending or scheduled.
    fileprivate(set) var isAsking = false
  }

  private unowned let connection: Connection
  /// Called when the clients of a holder have read enough.
  var onRead: ((TurnHolder) -> Void)?
  /// Returns the clients of a holder.
  var clients: ((TurnHolder) -> [ClientQueue])?

  init(_ connection: Connection) { self.connection = connection }

  /// Whether a client, or another client of its sandbox, must read before more bytes are sent to it.
  func isFull(_ client: ClientQueue, with byteCount: Int = 0) -> Bool {
    client.turnHolder.unreadByteCount + byteCount >= Self.maxBytes
  }

  func note(_ answer: Cost, to client: ClientQueue) {
    count(answer.bytes + answer.descriptors * Cost.bytesPerDescriptor, of: client)
    if isFull(client) { askAll(client.turnHolder) }
    if client.unread.byteCount >= Self.minBytesToAsk { ask(client, after: .zero) }
  }

  /// Asks the bus for the numbers of all clients of a holder, which include replies that were read.
  func askAll(_ holder: TurnHolder) {
    for client in clients?(holder) ?? [] where client.unread.byteCount > 0 {
      ask(client, after: .zero)
    }
  }

  /// Counts the refusal of a call as unread; returns false if the call must be dropped instead.
  func noteRefusal(to client: ClientQueue) -> Bool {
    guard client.turnHolder.unreadByteCount < Self.maxBytesWithRefusals else { return false }
    count(Self.refusalBytes, of: client)
    return true
  }

  private func count(_ byteCount: Int, of client: ClientQueue) {
    client.unread.byteCount += byteCount
    client.turnHolder.unreadByteCount += byteCount
  }

  private func ask(_ client: ClientQueue, after delay: Duration) {
    guard !client.unread.isAsking else { return }
    client.unread.isAsking = true
    connection.loop.schedule(after: delay) { [weak self] in self?.ask(client) }
  }

  /// Asks the bus for the number of unread bytes of all answers so far.
  private func ask(_ client: ClientQueue) {
    let noted = client.unread.byteCount
    connection.call(
      BusInterface.getConnectionStats, at: BusInterface.path, of: .bus, timeout: nil, client.name
    ) { [weak self] result in
      client.unread.isAsking = false
      self?.count(min(noted, Self.backlog(result)) - noted, of: client)
      self?.hasMeasured(client)
    }
  }

  private func hasMeasured(_ client: ClientQueue) {
    guard isFull(client) else {
      onRead?(client.turnHolder)
      return
    }
    if client.unread.byteCount > 0 { ask(client, after: Self.pause) }
  }

  /// The number of bytes that the bus stores for a client; 0 if the bus has no statistics, or if
  /// the client has left.
  private static func backlog(_ result: Result<[String: Variant], DBusError>) -> Int {
    guard case .success(let stats) = result else { return 0 }
    func figure(_ name: String) -> Int {
      guard case .uint32(let figure)? = stats[name]?.value else { return 0 }
      return Int(figure)
    }
    return figure("OutgoingBytes") + figure("OutgoingFDs") * Cost.bytesPerDescriptor
  }
}
