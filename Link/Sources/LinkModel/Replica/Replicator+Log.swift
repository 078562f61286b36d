import BoardModel

extension Replicator {
  /// Applies entries of the log.
  public func receive(_ entries: [LogEntry]) async throws {
    var new: [LogEntry] = []
    var isClosed = replica.successor != nil
    for entry in entries where entry.number > new.last?.number ?? replica.position && !isClosed {
      new.append(entry)
      isClosed = LogRecord.successor(in: entry.batch) != nil
    }
    try replica.check(new)
    guard !new.isEmpty else { return }
    let received = time()
    try await record(new.map { ReplicaEvent.entry($0, received: received) })
    for entry in new {
      guard let batch = try? EditBatch(bytes: entry.batch), batch.machine != replica.machine else {
        continue
      }
      wanted.formUnion(batch.requests)
    }
  }

  /// Computes the base again from the log if it differs from that of another machine.
  public func heal() async throws {
    guard let number = replica.divergence else { return }
    _ = try await log.lastNumber()
    var fold = LogFold()
    var checkpoint: (own: ContentHash, other: ContentHash?)?
    for try await entry in log.entries(after: 0) {
      if entry.number == number {
        checkpoint = (fold.board.checkpoint, (try? EditBatch(bytes: entry.batch))?.checkpoint)
      }
      try fold.apply(entry)
      if entry.number >= replica.position { break }
    }
    guard fold.position == replica.position else { return }
    // If this machine still disagrees, the other machine is wrong, and must learn about it.
    if let checkpoint, checkpoint.own != checkpoint.other { disagrees = true }
    try await record([.rebuilt(fold.board, time: time())])
  }

  /// Reads contents that other machines need, if this machine's daemon has them, so that they are
  /// stored again.
  ///
  /// - Returns: whether contents were read.
  @discardableResult
  public func answerRequests() async throws -> Bool {
    guard !wanted.isEmpty, replica.isSettled else { return false }
    var paths: [IndexPath: ItemKey] = [:]
    for key in replica.shadow.allKeys {
      guard let row = replica.shadow[key],
        !wanted.isDisjoint(with: row.representations.storedContents),
        let item = replica.items[key], let path = replica.shadow.path(of: key)
      else { continue }
      paths[path] = item
    }
    wanted = []
    guard !paths.isEmpty else { return false }
    noteContents(of: try await local.rows(at: paths, spool: spool).values)
    return true
  }
}
