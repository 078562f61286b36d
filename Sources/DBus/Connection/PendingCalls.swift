/// Sent calls that wait for their reply, by serial.
///
/// Each call ends exactly once: with its reply, its timeout, the end of the connection, or a
/// cancellation by the caller.
struct PendingCalls {
  typealias Reply = (Result<Message, DBusError>) -> Void
  private var calls: [UInt32: Entry] = [:]

  /// A waiting call.
  struct Entry {
    /// The only valid sender of the reply: a unique name or the bus; nil for a call to a well-known
    /// name.
    let answerer: String?
    let timer: Timer?
    let reply: Reply
  }

  var isEmpty: Bool { calls.isEmpty }

  mutating func add(_ serial: UInt32, _ entry: Entry) { calls[serial] = entry }

  mutating func remove(_ serial: UInt32) -> Entry? { calls.removeValue(forKey: serial) }

  /// Removes the call that `reply` answers; returns nil if there is none, or if the sender is not
  /// the callee.
  ///
  /// The bus may answer for any callee: that it does not exist, or has left.
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

/// A sent call, which can be cancelled.
public struct PendingCall: Hashable, Sendable {
  let serial: UInt32
}
