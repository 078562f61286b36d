/// The order in which the holders of quotas are served: the holder that has used the least time is
/// next.
///
/// A turn is one call, or one part of a long call. It is charged by the time that it takes. The
/// algorithm is start-time fair queueing: the *virtual time* is the used time of the holder that is
/// served. A holder that begins to wait has used at least the virtual time, so a holder that was idle
/// has no credit.
///
/// Source: P. Goyal, H. M. Vin, H. Cheng, "Start-time Fair Queueing", 1996.
struct Turns {
  /// Nanoseconds.
  typealias Time = Int

  private(set) var virtualTime: Time = 0
  /// The most time that a holder has used.
  private var maxUsedTime: Time = 0
  /// The holders that wait, in the order in which they began to wait.
  private var waiting: [TurnHolder] = []

  var isEmpty: Bool { waiting.isEmpty }

  /// Returns whether a holder waits for which the condition is true.
  func contains(where condition: (TurnHolder) -> Bool) -> Bool {
    waiting.contains(where: condition)
  }

  /// Adds a holder, unless it waits already.
  mutating func append(_ holder: TurnHolder) {
    guard !holder.isWaiting else { return }
    holder.isWaiting = true
    waiting.append(holder)
  }

  /// Removes and returns the next holder for which `mayBegin` is true.
  ///
  /// It has used the least time; of several, it has waited longest. O(holders).
  mutating func take(where mayBegin: (TurnHolder) -> Bool) -> TurnHolder? {
    var next: Int?
    for (index, holder) in waiting.enumerated() where mayBegin(holder) {
      if next.map({ usedTime(of: holder) < usedTime(of: waiting[$0]) }) ?? true { next = index }
    }
    guard let next else { return nil }
    let holder = waiting.remove(at: next)
    holder.isWaiting = false
    return holder
  }

  /// Begins a turn of a holder, which may not have waited.
  mutating func begin(_ holder: TurnHolder) {
    holder.usedTime = usedTime(of: holder)
    virtualTime = holder.usedTime
  }

  /// Charges the time of a turn.
  mutating func charge(_ time: Time, to holder: TurnHolder) {
    holder.usedTime += time
    maxUsedTime = max(maxUsedTime, holder.usedTime)
  }

  /// Records that no holder waits and none is served, so that no holder owes anything.
  mutating func noteIdle() { virtualTime = maxUsedTime }

  private func usedTime(of holder: TurnHolder) -> Time { max(holder.usedTime, virtualTime) }
}

/// The clients that take turns together: all connections of a sandbox, all unidentified connections,
/// or one connection without a sandbox.
final class TurnHolder {
  /// The time that the turns of this holder have taken, at least the virtual time when the latest one
  /// began.
  fileprivate(set) var usedTime: Turns.Time = 0
  fileprivate(set) var isWaiting = false
  /// The clients with calls that can be served, the next one first.
  var ready: [ClientQueue] = []
  /// The parts of long calls that remain, in the order in which the calls began.
  ///
  /// No call of the holder is served before their end.
  var parts: [() -> Bool] = []
  /// The number of bytes that the connection will have sent when it has sent the holder's latest
  /// reply.
  var replyEnd = 0
  /// The number of bytes of replies that the holder's clients have not read.
  var unreadByteCount = 0

  /// Whether the holder has work for a turn.
  var hasWork: Bool { !ready.isEmpty || !parts.isEmpty }
}
