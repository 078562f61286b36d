// The deletion of old rows, which no undo restores.

extension Board {
  /// Deletes rows of the board without an undo; the revision reports their deletion.
  ///
  /// Afterwards, `takeUndoStep` returns a step that puts the rows back. This step does not become a
  /// step of the history. Instead, ``UndoStep/preceded(by:)`` adds its operations to the latest
  /// step of the history, which refers to the positions that the rows had.
  public mutating func evict(_ rows: [RowID]) -> Revision? {
    let runs = takeOutEvicted(rows)
    guard !runs.isEmpty else { return nil }
    return conclude(runs.rowCount <= Revision.maxChanges ? runs.deletions : nil)
  }

  /// Deletes rows, which must be editable, because the retention of the board changes.
  ///
  /// An undo restores the rows, and reverses the change of the retention.
  public mutating func delete(_ rows: [RowID], because change: RetentionChange) -> Revision? {
    let present = rows.filter(contains)
    guard !present.isEmpty else { return nil }
    record.append(.changeRetention(change.reversed))
    let runs = record.remove(present, in: &storage)
    return conclude(runs.rowCount <= Revision.maxChanges ? runs.deletions : nil)
  }

  mutating func takeOutEvicted(_ rows: [RowID]) -> [RowRun] {
    guard !rows.isEmpty else { return [] }
    let runs = record.lift(rows, of: &storage)
    for run in runs { storage.forget(run.entries) }
    return runs
  }
}
