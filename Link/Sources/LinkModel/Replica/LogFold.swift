/// The result of the entries of a log, which any machine can compute from the log alone.
struct LogFold {
  /// The number of the last entry.
  private(set) var position: UInt64 = 0
  /// The number of the last entry of the snapshot with which the log begins; 0 for the first log.
  private(set) var start: UInt64 = 0
  private(set) var board = SharedBoard()
  private(set) var history = LogHistory()
  private var batches: [MachineKey: LogSnapshot.LastBatch] = [:]
  /// The parts of the snapshot that have been read.
  private var parts: [UInt8] = []

  /// The snapshot with which a successor of the log begins.
  var snapshot: LogSnapshot {
    LogSnapshot(board, batches: batches, history: history.prints(without: board))
  }

  /// Adds entries of a log up to a number.
  ///
  /// - Throws: `CancellationError` if the task was cancelled before it has read all of them: a part of a log
  ///   would be another board.
  mutating func read(_ log: any EditLog, upTo last: UInt64) async throws {
    guard position < last else { return }
    for try await entry in log.entries(after: position) {
      try apply(entry)
      if entry.number >= last { break }
    }
    guard position >= last else { throw CancellationError() }
  }

  /// Adds the next entry.
  ///
  /// - Throws: an error if the snapshot cannot be read.
  mutating func apply(_ entry: LogEntry) throws(EncodingDamage) {
    position = entry.number
    if let part = LogRecord.part(in: entry.batch), start == 0 {
      parts += part.bytes
      guard part.isLast else { return }
      let snapshot = try LogSnapshot(bytes: parts)
      (parts, start) = ([], entry.number)
      (board, batches) = (snapshot.board, snapshot.batches)
      history.add(snapshot)
      return
    }
    // The replicas ignore the same entries; see `Replica.apply`.
    guard let batch = try? EditBatch(bytes: entry.batch),
      batch.number > batches[batch.machine]?.number ?? 0
    else { return }
    batches[batch.machine] = LogSnapshot.LastBatch(batch)
    for edit in batch.edits { board.apply(edit) }
    history.add(batch.edits)
  }
}
