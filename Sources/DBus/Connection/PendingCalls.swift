/// Calls that were sent and wait for their reply, by serial.
///
/// Each is answered exactly once: by its reply, by the end of its time, by the end of the connection, or by the caller's own cancelling.
struct PendingCalls {
  typealias Reply = (Result<Message, DBusError>) -> Void
  private var calls: [UInt32: (timer: Timer?, reply: Reply)] = [:]

  var isEmpty: Bool { calls.isEmpty }

  mutating func add(_ serial: UInt32, timer: Timer?, reply: @escaping Reply) {
    calls[serial] = (timer, reply)
  }

  mutating func remove(_ serial: UInt32) -> (timer: Timer?, reply: Reply)? {
    calls.removeValue(forKey: serial)
  }

  mutating func removeAll() -> [(timer: Timer?, reply: Reply)] {
    defer { calls = [:] }
    return calls.sorted { $0.key < $1.key }.map(\.value)
  }
}

/// A call that was sent, to cancel it by.
public struct PendingCall: Hashable, Sendable {
  let serial: UInt32
}
