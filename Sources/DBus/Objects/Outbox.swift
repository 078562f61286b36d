/// The replies and signals of an object server that wait until the owner of the outbox sends them.
public final class Outbox: MessageSink {
  /// The maximum number of messages for which memory is retained.
  private static let maxKept = 1_024

  /// The messages, in order.
  public private(set) var messages: [OutgoingMessage] = []
  /// The number of messages.
  public var count: Int { messages.count }
  /// The approximate size of the messages in bytes.
  public private(set) var byteCount = 0

  /// Creates an empty outbox.
  public init() {}

  /// Appends a message.
  public func send(_ message: OutgoingMessage) {
    messages.append(message)
    byteCount += message.byteCount
  }

  /// Removes all messages, and appends others.
  public func replace(with others: [OutgoingMessage] = []) {
    messages.removeAll(keepingCapacity: messages.capacity <= Self.maxKept)
    byteCount = 0
    for message in others { send(message) }
  }
}
