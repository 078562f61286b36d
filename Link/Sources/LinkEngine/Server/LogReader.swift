internal import LinkModel

/// A reader of a log. It subscribes to the stream, verifies each entry, and subscribes again after
/// an interruption.
actor LogReader {
  private let log: JetStreamLog
  private let last: UInt64
  private let calls = BlockingCalls("reader")

  private var position: ChainHead?
  private var subscription: StreamSubscription?
  private var backoff = Backoff()
  /// Whether the current subscription has skipped an entry, which an unreliable connection can
  /// cause.
  private var hasSkipped = false

  /// The delay while there is no connection.
  ///
  /// It is short because such an attempt needs no request.
  private static let offlineDelay = Duration.seconds(1)

  init(_ log: JetStreamLog, after last: UInt64) {
    self.log = log
    self.last = last
  }

  /// Returns the next entry; nil after the cancellation of the task.
  func next() async throws -> LogEntry? {
    while !Task.isCancelled {
      do {
        guard let message = try await nextMessage() else { continue }
        if let entry = try await verify(message) { return entry }
      } catch let error as LinkError where error.isTemporary {
        subscription = nil
        if !log.stream.connection.isConnected { try? await Task.sleep(for: Self.offlineDelay) }
      }
    }
    subscription?.cancel()
    return nil
  }

  private func nextMessage() async throws -> NATSMessage? {
    let subscription = try await subscribed()
    return try await withTaskCancellationHandler {
      try await calls.run { [log] in
        if let message = try subscription.next(waits: false) { return message }
        // While no entry is waiting, sync the trail.
        try log.trail.sync()
        return try subscription.next(waits: true)
      }
    } onCancel: {
      subscription.cancel()
    }
  }

  private func subscribed() async throws -> StreamSubscription {
    if let subscription { return subscription }
    try log.stream.connection.requireConnected()
    try? await Task.sleep(for: backoff.next())
    let start = try position ?? start()
    position = start
    let new = try await calls.run { [log] in
      _ = try log.requireLog()
      return try StreamSubscription(
        to: log.stream, subject: log.subject, from: start.number + 1)
    }
    subscription = new
    return new
  }

  /// Returns the position from which entries must be verified.
  ///
  /// It is `last`, or the end of the trail if that is earlier: the machine may have stopped before
  /// the trail was durable.
  private func start() throws -> ChainHead {
    let head = try log.trail.head()
    guard last < head.number else { return head }
    return try log.trail.head(at: last) ?? head
  }

  /// Opens an entry; returns nil if no machine of the group has written it.
  ///
  /// A program with the password of the server can append any bytes. If they ended the log, such a
  /// program could stop the group.
  private func open(
    _ bytes: [UInt8], after position: ChainHead
  ) async throws -> (batch: [UInt8], head: ChainHead)? {
    // Before the first entry with a member seal, an altered entry cannot be distinguished from
    // bytes that no machine has written.
    let canSkip = position.requiresSeal || position.number == 0
    guard let epoch = EntryChain.epoch(of: bytes), bytes[0] > 1 || !position.requiresSeal else {
      if canSkip { return nil }
      throw LinkError.alteredEntry(position.number + 1)
    }
    if canSkip, log.keys[epoch] == nil, try await log.hasAllKeys(), log.keys[epoch] == nil {
      return nil
    }
    let key = try await log.keys.key(epoch, within: log.keyTimeout)
    if bytes[0] > 1 {
      guard EntryChain.isSealed(bytes, in: log.id, by: key) else {
        if canSkip { return nil }
        throw LinkError.alteredEntry(position.number + 1)
      }
      // A removed machine has written it.
      if epoch < position.epoch { return nil }
    }
    do { return try EntryChain.open(bytes, after: position, in: log.id, key: key) } catch {
      if bytes[0] == 1, position.number == 0 { return nil }
      throw error
    }
  }

  /// Verifies a message and records its entry; returns nil if the reader must not return this
  /// entry.
  private func verify(_ message: NATSMessage) async throws -> LogEntry? {
    guard let position else { return nil }
    let expected = position.number + 1
    if message.number > expected, !hasSkipped {
      hasSkipped = true
      subscription?.cancel()
      subscription = nil
      return nil
    }
    guard message.number <= expected else { throw LinkError.missingEntry(expected) }
    guard message.number == expected else { throw LinkError.alteredEntry(expected) }
    var entry = try await open(message.bytes, after: position)
    if entry == nil {
      log.noteForgery()
      entry = ([], EntryChain.skip(message.bytes, after: position))
    }
    guard let entry else { return nil }
    if let anchor = log.anchor, anchor.number == expected, anchor.hash != entry.head.hash {
      throw LinkError.replacedEntry(expected)
    }
    try log.trail.append(
      entry.head, message.bytes, successor: LogRecord.successor(in: entry.batch))
    self.position = entry.head
    hasSkipped = false
    return expected > last ? LogEntry(number: expected, batch: entry.batch) : nil
  }
}
