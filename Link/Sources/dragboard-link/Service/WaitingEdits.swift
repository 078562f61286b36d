import LinkReplica

/// The times since which edits of this machine wait.
struct WaitingEdits {
  /// For each board, the number of edits, and the time of the first one.
  private var boards: [String: (count: Int, since: String)] = [:]

  /// Continues with the last report of an earlier service.
  init(_ report: ServiceReport) {
    for (name, board) in report.boards {
      if let since = board.pendingSince { boards[name] = (board.pending, since) }
    }
  }

  /// Returns the time since which edits of a board wait; nil if none waits.
  mutating func note(_ status: ReplicaStatus, of board: String) -> String? {
    guard status.pending > 0 else {
      boards[board] = nil
      return nil
    }
    // If edits were sent, those that remain are later.
    if let known = boards[board], known.count <= status.pending {
      boards[board] = (status.pending, known.since)
    } else {
      boards[board] = (status.pending, ServiceReport.now)
    }
    return boards[board]?.since
  }
}
