public import LinkModel
internal import Glibc
internal import Logging
internal import Synchronization
internal import Text

/// A log in a stream of a NATS server, sealed for the machines of a group.
///
/// The number of an entry is its sequence in the stream. The server is not trusted: every entry is
/// verified before it is returned, and an entry that contradicts earlier entries is an error.
public final class JetStreamLog: EditLog {
  /// The maximum number of bytes of a batch: NATS servers refuse messages above 1 MiB.
  public static let maxBatchBytes = (1 << 20) - 4_096
  /// The maximum time that a reader of a board's log waits for the key of a new epoch, which
  /// arrives in the group's log.
  public static let keyTimeout = Duration.seconds(30)

  /// The identity of the log.
  public let id: LogID
  let keys: GroupKeys
  let trail: Trail
  /// The last entry that the inviting machine had read; nil if this machine created the log.
  let anchor: ChainHead?
  let keyTimeout: Duration
  let stream: Stream
  let subject: String
  let calls: BlockingCalls
  private let restored = Mutex(0)
  private let forged = Mutex(0)
  /// The number of the connection on which `requireLog` has found the verified entries on the server; nil
  /// if it has not.
  private let checked = Mutex<UInt64?>(nil)
  /// Returns whether this machine has all keys of the group, so that an unknown key is no key of the
  /// group.
  let hasAllKeys: @Sendable () async throws -> Bool
  /// The place among the logs of a board; nil for the log of a group.
  private let place: Place?

  /// The place of a log among the logs of a board.
  struct Place: Sendable {
    /// The id of the board, and of its first log.
    let board: LogID
    /// Whether the log is made if it does not exist and this machine has read no entry.
    let isMade: Bool
    /// Throws an error if the logs before lack entries, or if this log must be replaced.
    let check: @Sendable () throws -> Void
    /// Returns whether a later log exists.
    let hasLater: @Sendable () throws -> Bool
  }

  /// Creates the log with an id, without a request to the server.
  public convenience init(
    _ id: LogID, of keys: GroupKeys, on connection: NATSConnection, trail: Trail,
    anchor: ChainHead? = nil, keyTimeout: Duration = JetStreamLog.keyTimeout,
    hasAllKeys: @escaping @Sendable () async throws -> Bool = { false }
  ) {
    self.init(
      id, of: keys, on: connection, trail: trail, anchor: anchor, keyTimeout: keyTimeout,
      place: nil, hasAllKeys: hasAllKeys)
  }

  init(
    _ id: LogID, of keys: GroupKeys, on connection: NATSConnection, trail: Trail,
    anchor: ChainHead?, keyTimeout: Duration = JetStreamLog.keyTimeout, place: Place?,
    hasAllKeys: @escaping @Sendable () async throws -> Bool
  ) {
    (self.hasAllKeys, self.place) = (hasAllKeys, place)
    self.id = id
    self.keys = keys
    self.trail = trail
    self.anchor = anchor
    self.keyTimeout = keyTimeout
    let name = Self.name(of: id, in: place?.board ?? id, keys)
    stream = Stream(connection: connection, name: Stream.logPrefix + name)
    subject = "dragboard.log.\(name)"
    calls = BlockingCalls("log")
  }

  /// Returns the name of a log on the server.
  ///
  /// The name of a later log of a board is the name of the first log, followed by its id, which reveals
  /// only its generation.
  static func name(of id: LogID, in board: LogID, _ keys: GroupKeys) -> String {
    let name = keys.name(of: "log", board.bytes)
    return id == board ? name : "\(name)-\(id)"
  }

  /// The number of entries that this machine has restored after the server had lost them.
  public var restoredCount: Int { restored.withLock { $0 } }

  /// The number of entries that were skipped because no machine of the group has written them.
  public var forgedCount: Int { forged.withLock { $0 } }

  func noteForgery() { forged.withLock { $0 += 1 } }

  /// The last entry that this machine has verified.
  public var head: ChainHead { get throws { try trail.head() } }

  /// Asks the server for the number of the last entry, and creates the log if it does not exist.
  ///
  /// - Throws: `LinkError.olderLog` if the log ends before an entry that this machine has seen and
  ///   does not have any more; `LinkError.replacedEntry` if it has another entry instead.
  public func lastNumber() async throws -> UInt64 {
    try await calls.run { try self.requireLog() }
  }

  /// Removes the log from the server.
  func delete() async throws { try await calls.run { [stream] in try stream.delete() } }

  /// Whether the server has the log.
  func exists() async throws -> Bool {
    try await calls.run { [stream] in try stream.lastNumber() != nil }
  }

  /// Verifies the entries that the log has now.
  public func catchUp() async throws {
    let last = try await lastNumber()
    let seen = try head.number
    guard seen < last else { return }
    for try await entry in entries(after: seen) where entry.number >= last { break }
    try Task.checkCancellation()
  }

  /// Returns the number of the last entry, and creates the log if it does not exist.
  ///
  /// Blocks until the server answers. Throws the errors of `lastNumber`.
  func requireLog() throws -> UInt64 {
    let number = stream.connection.number
    checked.withLock { $0 = nil }
    let read = try trail.head().number
    let seen = max(read, anchor?.number ?? 0)
    try place?.check()
    var extent = try stream.extent()
    if seen == 0, extent == nil, place?.isMade ?? true {
      if let place, try place.board == id && place.hasLater() { throw LogReplaced() }
      try stream.create(.init(subjects: subject, isLog: true))
      extent = try stream.extent()
    }
    if let place {
      guard try extent != nil || seen > 0 && !place.hasLater(), extent?.first ?? 0 <= read + 1
      else { throw LogReplaced() }
    }
    let last = extent?.last ?? 0
    try check(min(last, seen))
    if last < seen { try restore(last + 1...seen) }
    checked.withLock { $0 = number }
    return max(last, seen)
  }

  /// Throws an error if the server's entry differs from the entry that this machine has verified.
  private func check(_ number: UInt64) throws {
    guard number > 0, let before = try trail.head(at: number - 1),
      let head = try trail.head(at: number), let bytes = try stream.message(number)
    else { return }
    guard EntryChain.leads(bytes, from: before, to: head) else {
      throw LinkError.replacedEntry(number)
    }
  }

  /// Appends verified entries that the server has lost.
  ///
  /// The restored entries have their original bytes, so every machine verifies them as before. If
  /// several machines restore an entry at once, the server stores it once, because the attempts
  /// have the same message id.
  func restore(_ numbers: ClosedRange<UInt64>, isLoss: Bool = true) throws {
    guard let entries = try trail.entries(numbers) else {
      throw LinkError.olderLog(seen: numbers.upperBound, last: numbers.lowerBound - 1)
    }
    if numbers.lowerBound == 1 { try stream.create(.init(subjects: subject, isLog: true)) }
    for (number, bytes) in zip(numbers, entries) {
      guard let head = try trail.head(at: number), try send(bytes, head) == number else {
        throw LinkError.unacknowledged(number)
      }
    }
    guard isLoss else { return }
    restored.withLock { $0 += entries.count }
    let range = "\(numbers.lowerBound) to \(numbers.upperBound)"
    linkLog.warning("server: it had lost entries \(range), which are restored now")
  }

  /// Appends a batch if the last entry of the log has the number `last`.
  ///
  /// Throws an error at once if the server is absent.
  ///
  /// - Returns: the number of the new entry, or nil if another entry came first.
  public func append(_ batch: [UInt8], after last: UInt64) async throws -> UInt64? {
    guard batch.count <= Self.maxBatchBytes else {
      throw LinkError.largeBatch(bytes: batch.count, max: Self.maxBatchBytes)
    }
    let head = try trail.head()
    guard head.number <= last else { return nil }
    guard head.number == last else { throw LinkError.unreadEntry(last) }
    let key = keys.latest
    guard key.epoch >= head.epoch else { throw LinkError.unknownKey(epoch: head.epoch) }
    let entry = EntryChain.seal(batch, after: head, in: id, key: key)
    let successor = LogRecord.successor(in: batch)
    let isAppended = try await calls.run {
      try self.publish(entry.bytes, entry.head, successor)
    }
    return isAppended ? entry.head.number : nil
  }

  private func publish(
    _ bytes: [UInt8], _ head: ChainHead, _ successor: LogID?
  ) throws -> Bool {
    let last = head.number - 1
    // If the server had lost entries, and other machines had appended as many, it would accept an entry
    // that follows the lost ones. No machine could read beyond it.
    let isChecked = checked.withLock { $0 } == stream.connection.number
    if last == 0 || !isChecked { _ = try requireLog() }
    guard let number = try send(bytes, head) else {
      // The server has refused the entry. Usually another entry came first, or the server has lost
      // entries. If the log is unchanged, the refusal was wrong: a server that has just become the
      // leader of its cluster can refuse a correct entry. So the caller must try again.
      guard try requireLog() > last else { throw LinkError.unacknowledged(head.number) }
      return false
    }
    guard number == head.number else {
      throw LinkError.wrongNumber(expected: head.number, actual: number)
    }
    try trail.append(head, bytes, successor: successor)
    try trail.sync()
    return true
  }

  private func send(_ bytes: [UInt8], _ head: ChainHead) throws(LinkError) -> UInt64? {
    let id = Hexadecimal.digits(of: head.hash)
    let last = Stream.Expectation.last(head.number - 1)
    let timeout = NATSConnection.requestTimeout
    do {
      return try stream.publish(bytes, on: subject, after: last, id: id, timeout: timeout)
    } catch {
      guard error.isTemporary, stream.connection.isConnected else { throw error }
    }
    // Try again. If the server has stored the entry, it recognises the id and acknowledges the
    // entry again. If another machine was just creating the stream, the stream now exists.
    usleep(100_000)
    do {
      return try stream.publish(bytes, on: subject, after: last, id: id, timeout: timeout)
    } catch {
      throw error.isTemporary ? .unacknowledged(head.number) : error
    }
  }

  /// Returns the entries after the entry `last`, in order: first the existing entries, then each
  /// new entry when it arrives.
  ///
  /// If the server is absent, the stream waits. It ends with an error if the server returns an
  /// entry that no machine has appended with this number. Neither this entry nor later entries are
  /// returned.
  public func entries(after last: UInt64) -> AsyncThrowingStream<LogEntry, any Error> {
    let reader = LogReader(self, after: last)
    return AsyncThrowingStream { try await reader.next() }
  }
}
