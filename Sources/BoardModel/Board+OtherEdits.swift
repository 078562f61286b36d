extension Board {
  /// Repeats edits that were made on another copy of the board, as one edit: all of them, or none.
  ///
  /// Rows that are not editable or not movable change, too, because the other copy has allowed it.
  /// Afterwards, `takeUndoStep` returns a step that undoes the edit, without the contents of
  /// deleted rows. This step does not become a step of the history. Instead,
  /// ``UndoStep/preceded(byOthers:max:)`` adds its operations to the latest step of the history.
  ///
  /// - Parameters:
  ///   - edits: The edits.
  ///   - maxRows: The maximum number of rows.
  ///   - maxSections: The maximum number of sections.
  ///   - unchanged: Rows whose content is the same after all edits as before.
  /// - Returns: The revision; nil if nothing has changed, or if the edits cancel each other out.
  /// - Throws: `OtherEditError` if the board refuses a part; nothing has changed then.
  public mutating func apply(
    _ edits: [OtherEdit], maxRows: Int, maxSections: Int, unchanged: Set<RowID> = []
  ) throws(OtherEditError) -> Revision? {
    let replay = try OtherEditReplay(
      of: edits, on: &storage, recording: &record, maxRows: maxRows, maxSections: maxSections,
      unchanged: unchanged)
    guard !replay.changes.isEmpty else { return nil }
    return conclude(replay.changes.count > Revision.maxChanges ? nil : replay.changes)
  }
}
