import DBus

/// What a client has been answered and may not have read: the bus keeps it, in memory that all clients share.
final class UnreadAnswers {
  /// In bytes; a file descriptor counts as many.
  fileprivate(set) var byteCount = 0
  /// Whether the bus is being asked.
  fileprivate var isInQuestion = false
  /// The calls that wait, in order.
  fileprivate var calls: [Message] = []

  /// Whether the client is answered no more until it has read some.
  var isTooMuch: Bool { isTooMuch(with: 0) }

  /// Whether it would be with so many bytes more.
  func isTooMuch(with more: Int) -> Bool { byteCount + more >= ReadWatch.most }

  /// Whether calls wait until the client reads.
  var holdsCalls: Bool { !calls.isEmpty }
}

/// Has the calls of a client wait that does not read its answers.
///
/// The bus takes from the daemon no more than a certain number of bytes that nobody has read: one client that reads nothing would take all
/// of them, and nobody would be answered any more. How much has been read the bus alone knows. One that does not tell is trusted.
final class ReadWatch {
  /// So many bytes of a client's answers may lie unread.
  static let most = 64 << 20
  /// The bus is asked when there may be as many.
  private static let leastInQuestion = 1 << 20
  /// What a file descriptor counts for.
  private static let descriptorCost = 1 << 20
  /// So many calls of a client may wait until it reads, and bytes with those of all; others are refused.
  private static let mostCalls = 1_024
  private static let mostCallBytes = 64 << 20
  // A refusal is an answer, too, of about so many bytes: where so many lie unread, calls are dropped. The bus notes each call that is not
  // answered, and is the slower for all the more it has noted; so that comes last.
  private static let refusalSize = 512
  private static let mostWithRefusals = 512 << 20
  /// How soon the bus is asked again.
  private static let pause = Duration.milliseconds(20)

  private unowned let service: Service
  /// How many bytes wait with the calls of all clients.
  private var callBytes = 0

  init(_ service: Service) { self.service = service }

  /// Notes an answer that goes out.
  func note(_ answer: MessageSize, to client: Client) {
    client.unread.byteCount +=
      answer.byteCount + answer.descriptorCount * Self.descriptorCost
    if client.unread.byteCount >= Self.leastInQuestion { question(client, after: .zero) }
  }

  /// Has a call of a client wait that has too much to read; one that bears a descriptor does not, for it would keep that open.
  ///
  /// - Throws: LimitsExceeded where too many wait already.
  func putOff(_ call: Message, of client: Client) throws(DBusError) {
    let bytes = callBytes + call.byteCountToKeep
    guard client.unread.calls.count < Self.mostCalls, bytes <= Self.mostCallBytes,
      !call.bearsDescriptors
    else {
      guard client.unread.byteCount < Self.mostWithRefusals else { return }
      client.unread.byteCount += Self.refusalSize
      throw DBusError(
        .limitsExceeded,
        "\(Self.most) bytes of answers are waiting to be read, and \(Self.mostCalls) calls for that; read the answers"
      )
    }
    client.unread.calls.append(try call.copyToKeep())
    callBytes = bytes
  }

  /// Asks the bus what is on its way to a client, when what has been answered so far is.
  private func question(_ client: Client, after delay: Duration) {
    guard !client.unread.isInQuestion else { return }
    client.unread.isInQuestion = true
    service.schedule(after: delay) { [weak self] in self?.ask(client) }
  }

  private func ask(_ client: Client) {
    let asked = client.unread.byteCount
    service.connection.call(
      BusInterface.getConnectionStats, at: BusInterface.path, of: .bus, timeout: nil, client.name
    ) { [weak self] result in
      client.unread.isInQuestion = false
      client.unread.byteCount -= asked - Self.unread(result, atMost: asked)
      self?.goOn(client)
    }
  }

  /// How much the bus keeps for the client; nothing where it does not tell, or the client is gone.
  private static func unread(
    _ result: Result<[String: Variant], DBusError>, atMost most: Int
  ) -> Int {
    guard case .success(let stats) = result else { return 0 }
    func figure(_ name: String) -> Int {
      guard case .uint32(let figure)? = stats[name]?.value else { return 0 }
      return Int(figure)
    }
    return min(most, figure("OutgoingBytes") + figure("OutgoingFDs") * descriptorCost)
  }

  private func goOn(_ client: Client) {
    if client.unread.isTooMuch { return question(client, after: Self.pause) }
    let calls = client.unread.calls
    client.unread.calls = []
    callBytes -= calls.reduce(0) { $0 + $1.byteCountToKeep }
    if !calls.isEmpty { service.connection.handle(calls) }
    service.largeReads.startSome()
  }
}
