extension Replicator {
  /// Appends the next batch of pending edits.
  ///
  /// - Returns: false if there are no pending edits, or if another entry came first.
  public func publish() async throws -> Bool {
    guard let batch = try await nextBatch(), let entry = try await send(batch) else { return false }
    noteSuccess(of: batch)
    try await receive([entry])
    return true
  }

  /// Returns the batch to append next; nil if there are no pending edits.
  ///
  /// Records that the batch no longer changes.
  public func nextBatch() async throws -> OutgoingBatch? {
    guard replica.successor == nil, !isReplacingLog else { return nil }
    if replica.hasTwin { try await record([.renewed(.random(using: &generator))]) }
    guard !replica.pending.isEmpty else { return await notice() }
    if replica.cutCount == 0 {
      if maxCut != nil { try await record([.condensed]) }
      let count = min(Self.cut(replica.pending), maxCut ?? .max)
      if count > 0 { try await record([.cut(count)]) }
    }
    return replica.nextBatch.map { outgoing($0) }
  }

  private func outgoing(_ batch: EditBatch) -> OutgoingBatch {
    OutgoingBatch(batch: batch, last: replica.position, log: log)
  }

  /// The number of entries, and the time, after which a machine appends a checkpoint.
  static let (checkpointEntries, checkpointTime): (UInt64, UInt64) = (1_000, 86_400_000_000)

  /// Returns a batch without edits that asks for missing contents, or has a checkpoint; nil if
  /// neither is necessary.
  private func notice() async -> OutgoingBatch? {
    let (entry, start) = replica.lastCheckpoint
    let isDue =
      disagrees || !replica.isLogInUse || replica.position >= entry + Self.checkpointEntries
      || replica.position > entry && start > 0 && time() > start + Self.checkpointTime
    guard isDue && replica.divergence == nil || !unrequested.isEmpty else { return nil }
    let batch = EditBatch(
      machine: replica.machine, number: replica.batchNumber, edits: [],
      requests: unrequested.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) },
      checkpoint: isDue && replica.divergence == nil ? replica.checkpoint : nil)
    return outgoing(batch)
  }

  /// Records that the log contains a batch of this machine.
  public func noteSuccess(of outgoing: OutgoingBatch) {
    maxCut = maxCut.flatMap { $0 < EditBatch.maxEdits ? $0 * 2 : nil }
    unrequested.subtract(outgoing.batch.requests)
    if outgoing.batch.checkpoint != nil { disagrees = false }
  }

  /// Records that the server has refused a batch and does not have it.
  ///
  /// - Returns: whether another attempt is useful at once, because the next batch is smaller.
  public func noteRefusal(of outgoing: OutgoingBatch) async throws -> Bool {
    guard outgoing.last == replica.position else { return true }
    // A batch without edits would be the same again.
    guard replica.cutCount > 0 else { return false }
    let (count, pending) = (replica.cutCount, replica.pending.count)
    maxCut = max(1, count / 2)
    try await record([.cut(0), .condensed])
    return count > 1 || replica.pending.count < pending
  }

  /// Appends a batch; waits only for the servers.
  ///
  /// - Returns: the entry of the batch, which must be passed to `receive`; nil if another entry
  ///   came first.
  public nonisolated func send(_ outgoing: OutgoingBatch) async throws -> LogEntry? {
    let bytes = outgoing.batch.bytes
    return try await outgoing.log.append(bytes, after: outgoing.last)
      .map { LogEntry(number: $0, batch: bytes) }
  }

  private static func cut(_ edits: [SharedEdit]) -> Int {
    var bytes = 0
    for (index, edit) in edits.prefix(EditBatch.maxEdits).enumerated() {
      bytes += edit.byteCount
      if bytes > EditBatch.maxBytes, index > 0 { return index }
    }
    return min(edits.count, EditBatch.maxEdits)
  }
}

/// A batch that is about to be appended to the log.
public struct OutgoingBatch: Sendable {
  let batch: EditBatch
  /// The number that the last entry of the log must have.
  public let last: UInt64
  let log: any EditLog
}
