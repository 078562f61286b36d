import BoardModel
import DragboardStore

// Reading the part of a history that is not in memory.

extension EditHistory {
  /// The maximum size of a log that is read.
  ///
  /// It is an upper bound for 100,000 changes, each with a section name of maximum length.
  private static let maxLoggedBytes = 32 << 20

  /// Reads the history of a board at this revision.
  init(
    of board: BoardNumber, at revision: UInt64, in store: BoardStore, _ limits: Limits
  ) throws(StoreError) {
    // A damaged log may have later revisions, which are ignored.
    let first = min(revision, try store.firstLoggedRevision(of: board) ?? revision)
    self.init(
      maxSteps: limits.undoSteps, maxBytes: limits.undoBytes, stored: try store.steps(of: board),
      after: first)
  }

  /// Returns a step from memory or from the store; nil if `number` is nil.
  func step(
    _ number: UInt64?, of board: BoardNumber, in store: BoardStore
  ) throws(StoreError) -> EncodedStep? {
    guard let number else { return nil }
    if let step = unsavedStep(number) { return step }
    return try EncodedStep(stored: number, of: board, in: store)
  }

  /// Returns all changes since a revision.
  ///
  /// It returns nil if the log begins after the revision, or if there are too many changes.
  func changes(
    since revision: UInt64, of board: BoardNumber, in store: BoardStore
  ) throws(StoreError) -> [Change]? {
    guard revision >= firstRevision,
      let batches = try store.loggedChanges(
        after: revision, of: board, limit: Self.maxLoggedBytes)
    else { return nil }
    do throws(HistoryDamage) { return try changes(since: revision, logged: batches) } catch {
      throw StoreError.unreadable("the board's log is damaged: \(error)")
    }
  }
}

extension EditHistory.EncodedStep {
  /// Reads a stored step.
  init(stored number: UInt64, of board: BoardNumber, in store: BoardStore) throws(StoreError) {
    guard let stored = try store.operations(ofStep: number, of: board) else {
      throw StoreError.unreadable("a step of the board's history is missing in the database")
    }
    do throws(HistoryDamage) {
      try self.init(bytes: stored.operations, keeping: stored.kept)
    } catch { throw StoreError.unreadable("a step of the board's history is damaged: \(error)") }
  }
}

extension BoardStore {
  /// Returns the size of the contents of rows.
  ///
  /// The size of more than 10,000 rows is estimated from at most 10,000 evenly spaced rows. An
  /// unreadable size counts as 0, because the result is only used for limits.
  func estimatedByteCount(of rows: [RowID]) -> Int {
    let maxMeasured = 10_000
    guard !rows.isEmpty else { return 0 }
    let distance = (rows.count + maxMeasured - 1) / maxMeasured
    let measured = stride(from: 0, to: rows.count, by: distance).map { rows[$0] }
    let size = (try? byteCount(of: measured)) ?? 0
    return rows.count == measured.count ? size : size / measured.count * rows.count
  }
}
