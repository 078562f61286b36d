/// Sent calls that wait for their reply, by serial.
///
/// A call ends once: when its reply arrives, its timeout expires, the connection ends, or the
/// caller cancels the call.
struct PendingCalls {
  typealias Reply = (Result<Message, DBusError>) -> Void

  private struct Entry {
    /// The called unique name, or the bus; nil for a call to a well-known name.
    ///
    /// If it is not nil, only this sender and the bus may reply.
    let answerer: String?
    let timer: Timer?
    let reply: Reply
  }

  private let loop: EventLoop
  private var calls: [UInt32: Entry] = [:]

  init(_ loop: EventLoop) { self.loop = loop }

  mutating func add(
    _ serial: UInt32, to destination: String?, _ timer: Timer?, _ reply: @escaping Reply
  ) {
    let name = destination.map(BusName.init(unchecked:))
    let answerer = name.flatMap { $0.isUnique || $0 == .bus ? $0.text : nil }
    calls[serial] = Entry(answerer: answerer, timer: timer, reply: reply)
  }

  /// Removes a call and cancels its timeout.
  mutating func remove(_ serial: UInt32) -> Reply? {
    guard let call = calls.removeValue(forKey: serial) else { return nil }
    if let timer = call.timer { loop.cancel(timer) }
    return call.reply
  }

  /// Removes the call that `reply` answers; returns nil if there is none, or if the sender is not
  /// the callee.
  ///
  /// The bus may answer for any callee, to report that the callee does not exist or has left.
  mutating func remove(answeredBy reply: Message) -> Reply? {
    guard let call = calls[reply.replySerial],
      call.answerer == nil || reply.sender == call.answerer || reply.sender == BusName.bus.text
    else { return nil }
    return remove(reply.replySerial)
  }

  /// Removes all calls, the earliest first.
  mutating func removeAll() -> [Reply] { calls.keys.sorted().compactMap { remove($0) } }
}

/// A sent call, which can be cancelled.
public struct PendingCall: Hashable, Sendable {
  let serial: UInt32
}
