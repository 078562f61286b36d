/// Messages that wait until the batch that they belong to is committed.
final class HeldMessages {
  /// A message, and whether a rollback drops it.
  struct Entry {
    let message: OutgoingMessage
    fileprivate(set) var isProvisional: Bool
  }

  private var entries: [Entry] = []
  /// The index at which the current event began.
  private var firstOfEvent = 0
  /// About how many bytes wait.
  private(set) var byteCount = 0
  /// Whether messages are held.
  private(set) var isHolding = false
  /// Whether a rollback drops what is appended now.
  private(set) var isProvisional = false

  /// Holds messages from now on; those of the current event are provisional.
  func hold() {
    guard !isProvisional else { return }
    isProvisional = true
    if isHolding {
      for index in firstOfEvent..<entries.count { entries[index].isProvisional = true }
    }
    isHolding = true
  }

  /// Begins an event: its messages are provisional only if `hold` is called again.
  func beginEvent() {
    isProvisional = false
    firstOfEvent = entries.count
  }

  /// Appends a message.
  func append(_ message: OutgoingMessage) {
    entries.append(Entry(message: message, isProvisional: isProvisional))
    byteCount += message.byteCount
  }

  /// Ends holding.
  ///
  /// - Returns: the messages, in order.
  func take() -> [Entry] {
    let taken = entries
    entries.removeAll(keepingCapacity: entries.capacity <= Self.maxKept)
    firstOfEvent = 0
    byteCount = 0
    isHolding = false
    isProvisional = false
    return taken
  }

  /// Drops what `body` sends.
  func swallow(_ body: () -> Void) {
    isHolding = true
    body()
    _ = take()
  }

  /// The most entries whose memory is kept.
  private static let maxKept = 1_024
}
