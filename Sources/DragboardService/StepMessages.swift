import DBus

/// The messages of an open transaction, in order, with the steps that sent them.
///
/// A step is a call, a timer or a completion. A step is uncommitted if it has changed something, or
/// has read something that the transaction changed; otherwise it is certain.
struct StepMessages {
  /// All messages, in order.
  private(set) var all: [OutgoingMessage] = []
  /// About how many bytes they have.
  private(set) var byteCount = 0
  /// Whether the current step is uncommitted.
  private(set) var isStepUncommitted = false
  /// The index of the current step's first message.
  private var start = 0
  /// The messages of earlier uncommitted steps.
  private var uncommitted: [Range<Int>] = []

  /// Begins a step, which is certain at first.
  mutating func beginStep() {
    endStep()
    start = all.count
    isStepUncommitted = false
  }

  /// Makes the current step uncommitted, with the messages that it has appended.
  mutating func markStepUncommitted() { isStepUncommitted = true }

  /// Appends a message of the current step.
  mutating func append(_ message: OutgoingMessage) {
    all.append(message)
    byteCount += message.byteCount
  }

  /// Replaces replies of uncommitted steps by `error`, and drops signals of these steps.
  ///
  /// All remaining messages are certain. The current step continues as a certain one.
  mutating func refuseUncommitted(with error: DBusError) {
    endStep()
    var (rest, end) = ([OutgoingMessage](), 0)
    for range in uncommitted {
      rest += all[end..<range.lowerBound]
      rest += all[range].compactMap { $0.replaced(by: error) }
      end = range.upperBound
    }
    rest += all[end...]
    removeAll()
    for message in rest { append(message) }
  }

  /// Removes all messages.
  ///
  /// The current step continues as a certain one.
  mutating func removeAll() {
    all.removeAll(keepingCapacity: all.capacity <= Self.maxKept)
    uncommitted.removeAll(keepingCapacity: uncommitted.capacity <= Self.maxKept)
    (byteCount, start, isStepUncommitted) = (0, 0, false)
  }

  private mutating func endStep() {
    if isStepUncommitted, start < all.count { uncommitted.append(start..<all.count) }
  }

  /// The maximum number of entries whose memory is kept.
  private static let maxKept = 1_024
}
