/// The replacement of a long log by a short one.
///
/// 1. A machine that has read the log up to the entry N writes a new log, which begins with a snapshot of the
///    board after N.
/// 2. It appends an entry after N that names the new log. If another entry has come first, it removes the
///    new log and begins again. No machine appends to the old log after this entry.
/// 3. Each machine that reads this entry continues with the new log.
/// 4. The first of them appends a batch to the new log, so that the log is in use. A machine that finds no
///    old log looks for the latest log that is in use.
/// 5. After some minutes the old log is removed.
///
/// A machine can stop after each step. Before the entry of step 2, the new log is unused, and the
/// replacement after it removes it. After this entry, any machine continues.
extension Replicator {
  /// The condition for the replacement of a log.
  public struct Limits: Sendable {
    /// The minimum number of bytes, and of entries, of a log that is replaced.
    let (bytes, entries): (Int, UInt64)
    /// The minimum number of bytes in relation to those of the encoded board.
    let factor: Int

    /// Creates a condition.
    public init(bytes: Int = 64 << 10, entries: UInt64 = 64, factor: Int = 5) {
      (self.bytes, self.entries, self.factor) = (bytes, entries, factor)
    }
  }

  /// The number of attempts, because another machine can append an entry in the meantime.
  private static let maxAttempts = 4

  /// Whether the log may have become so long since `position` that it should be replaced.
  public func mayReplaceLog(since position: UInt64, _ limits: Limits) -> Bool {
    let entries = max(limits.entries, UInt64(replica.base.count / 8))
    return replica.successor == nil && replica.position >= max(position, replica.start) + entries
  }

  /// Replaces the log by a successor if it is too long.
  ///
  /// - Returns: whether the log was replaced.
  @discardableResult
  public func replaceLog(_ limits: Limits = Limits()) async throws -> Bool {
    guard replica.position >= replica.start + limits.entries, canReplaceLog,
      case let byteCount = try await logs.byteCount(of: replica.log),
      byteCount > max(limits.bytes, limits.factor * replica.base.byteCount)
    else { return false }
    isReplacingLog = true
    defer { isReplacingLog = false }
    var fold = LogFold()
    for _ in 0..<Self.maxAttempts where canReplaceLog {
      let position = replica.position
      try await fold.read(log, upTo: position)
      guard replica.position == position, canReplaceLog else { continue }
      guard fold.board.checkpoint == replica.checkpoint else {
        try await record([.rebuilt(fold.board, time: time())])
        return false
      }
      if try await replaceLog(fold.snapshot.bytes, after: position) { return true }
    }
    return false
  }

  private var canReplaceLog: Bool {
    replica.successor == nil && replica.cutCount == 0 && replica.divergence == nil
      && !replica.hasTwin
  }

  /// Writes a log with a snapshot, and names it as the successor after an entry of the log.
  private func replaceLog(_ snapshot: [UInt8], after position: UInt64) async throws -> Bool {
    let id = LogID.successor(of: replica.log, board: logs.board, using: &generator)
    let (old, new) = (log, try logs.makeLog(id))
    do {
      for (index, part) in LogRecord.parts(of: snapshot).enumerated() {
        guard try await new.append(part, after: UInt64(index)) != nil else { return false }
      }
    } catch {
      try? await logs.remove(id)
      throw error
    }
    let end = LogRecord.bytes(ofSuccessor: id)
    if try await old.append(end, after: position) == nil {
      // A server can refuse an entry that it has stored.
      for try await entry in old.entries(after: position) {
        guard entry.batch != end else { break }
        try await logs.remove(id)
        try await receive([entry])
        return false
      }
      // Otherwise the entry is not known, and this machine must not assume that it is its own.
      try Task.checkCancellation()
    }
    try await receive([LogEntry(number: position + 1, batch: end)])
    return true
  }

  /// Continues with the log that replaces the log of the replica, if any.
  ///
  /// - Parameter isReplaced: whether the server no longer has the log, so that a later log must exist.
  /// - Returns: whether the replica has another log now.
  /// - Throws: `ReplicatorError.otherHistory`, and the errors of the logs; the replica is unchanged.
  public func move(isReplaced: Bool) async throws -> Bool {
    if let successor = replica.successor {
      do {
        try await move(to: successor)
        return true
      } catch is LogReplaced {}
    } else if !isReplaced {
      return false
    }
    guard let latest = try await logs.latest(after: replica.log) else { throw LogReplaced() }
    try await move(to: latest)
    return true
  }

  private func move(to id: LogID) async throws {
    let new = try logs.log(id)
    // A power cut of the server can have shortened the snapshot.
    let last = try await new.lastNumber()
    guard last > 0 else { throw LogReplaced() }
    let (old, checkpoint) = (replica.log, replica.successor == id ? replica.checkpoint : nil)
    var (start, isKnown): (UInt64, Bool) = (0, false)
    var bytes: [UInt8] = []
    for try await entry in new.entries(after: 0) {
      guard let part = LogRecord.part(in: entry.batch) else { throw EncodingDamage.invalid }
      if entry.number == 1 {
        isKnown = checkpoint != nil && LogSnapshot.checkpoint(of: part.bytes) == checkpoint
      }
      if !isKnown { bytes += part.bytes }
      if part.isLast { start = entry.number }
      if part.isLast || entry.number >= last { break }
    }
    guard start > 0 else { throw LogReplaced() }
    guard replica.log == old else { return }
    let snapshot = isKnown ? nil : try LogSnapshot(bytes: bytes)
    if let snapshot, replica.hasMore(than: snapshot) { throw ReplicatorError.otherHistory }
    try await record([
      .moved(LogMove(log: id, start: start, received: time(), snapshot: snapshot))
    ])
    log = new
  }

  /// Removes the logs before the log of the replica, and unfinished logs, from the server.
  ///
  /// - Returns: false if the log is not in use yet, so that nothing was removed.
  @discardableResult
  public func removeEarlierLogs() async throws -> Bool {
    guard let id = replica.log, replica.isLogInUse else { return false }
    try await logs.removeLogs(before: id)
    return true
  }
}
