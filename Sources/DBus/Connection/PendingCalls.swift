/// Calls that were sent and wait for their reply, by serial.
///
/// Each is answered exactly once: by its reply, by the end of its time, by the end of the connection, or by the caller's own cancelling.
struct PendingCalls {
  typealias Reply = (Result<Message, DBusError>) -> Void
  private var calls: [UInt32: Entry] = [:]

  /// A call that waits.
  struct Entry {
    /// Who alone can answer: a unique name or the bus; nil where the call went to a well-known name.
    let answerer: String?
    let timer: Timer?
    let reply: Reply
  }

  var isEmpty: Bool { calls.isEmpty }

  mutating func add(_ serial: UInt32, _ entry: Entry) { calls[serial] = entry }

  mutating func remove(_ serial: UInt32) -> Entry? { calls.removeValue(forKey: serial) }

  /// Takes the call that `reply` answers; nil where there is none, or its sender was not asked.
  ///
  /// The bus may answer in anybody's place: that nobody is there, or has left.
  mutating func remove(answeredBy reply: Message) -> Entry? {
    guard let entry = calls[reply.replySerial],
      entry.answerer == nil || reply.sender == entry.answerer || reply.sender == BusName.bus.text
    else { return nil }
    return remove(reply.replySerial)
  }

  mutating func removeAll() -> [Entry] {
    defer { calls = [:] }
    return calls.sorted { $0.key < $1.key }.map(\.value)
  }
}

/// A call that was sent, to cancel it by.
public struct PendingCall: Hashable, Sendable {
  let serial: UInt32
}
