/// The step of a replica from its log to a later log of the board.
public struct LogMove: Equatable, Sendable {
  /// The later log.
  public let log: LogID
  /// The number of the last entry of its snapshot.
  let start: UInt64
  /// The time at which this machine read it, in microseconds since 1970, UTC.
  let received: UInt64
  /// The snapshot; nil if the replica has all entries of the log before, so its board is equal.
  let snapshot: LogSnapshot?
}

extension Replica {
  /// Continues with a later log.
  ///
  /// Edits name rows and their neighbours, so the pending edits retain their meaning on the new base.
  mutating func apply(_ move: LogMove) {
    (log, successor, start) = (move.log, nil, move.start)
    (position, lastCheckpoint, divergence) = (move.start, (move.start, move.received), nil)
    if let snapshot = move.snapshot {
      for edit in pending { dirty.add(edit) }
      removeKnownPending(snapshot)
      let old = base
      base = snapshot.board
      lastBatches = snapshot.batches.mapValues(\.number)
      for edit in pending {
        if let key = edit.row, base[key] == nil { titles.note(key, on: old) }
      }
      dirty.rows.formUnion(old.allKeys.union(base.allKeys))
      dirty.sections = true
      identify(base.allKeys.filter { old[$0] == nil })
      rebase()
      forgetOverlayIfSettled()
    }
    cutCount = 0
  }

  /// Removes the pending edits that are in the log, though this machine has not read them there.
  private mutating func removeKnownPending(_ snapshot: LogSnapshot) {
    if let last = snapshot.batches[machine], last.number >= batchNumber {
      if last.number == batchNumber, last.begins(pending) {
        // The answer to the append was lost.
        removeFirstPending(last.editCount)
        batchNumber += 1
        return
      }
      hasTwin = true
    }
    let twins = [hasTwin ? machine : nil, previousMachine].compactMap(\.self)
    guard !twins.isEmpty else { return }
    // Another copy of this replica can have appended the edits.
    for twin in twins {
      if let last = snapshot.batches[twin], last.begins(pending) {
        removeFirstPending(last.editCount)
      }
    }
    var history = LogHistory()
    history.add(snapshot)
    // Rows that were inserted and deleted must not return.
    pending.removeAll { edit in
      guard case .insert(let key, let row, _) = edit, snapshot.board[key] == nil else {
        return false
      }
      return history.hasContents(row.representations, of: key)
    }
  }

  /// Whether a log lacks batches that this machine has read, because the server had lost them.
  func hasMore(than snapshot: LogSnapshot) -> Bool {
    lastBatches.contains { (snapshot.batches[$0]?.number ?? 0) < $1 }
  }

  /// Whether the log has a batch with a checkpoint after its snapshot, so that a machine which no longer
  /// finds an earlier log continues with this one.
  ///
  /// Other entries prove nothing: they end the log, start a new key, or were skipped.
  var isLogInUse: Bool { log == nil || lastCheckpoint.entry > start }
}
