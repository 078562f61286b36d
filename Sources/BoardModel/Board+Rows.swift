// Insertion, deletion and changes of rows.

extension Board {
  /// Checks the arguments of `insert` for this number of rows.
  public func checkInsertion(
    of rowCount: Int, at path: IndexPath, maxRows: Int
  ) throws(BoardError) {
    try storage.checkInsertion(of: rowCount, at: path, maxRows: maxRows)
  }

  /// Returns the position of new rows; `row` is nil for the end of the section.
  ///
  /// - Throws: `BoardError` if the board would refuse the insertion.
  public func pathOfInsertion(
    of rowCount: Int, inSection section: Int, at row: Int?, maxRows: Int
  ) throws(BoardError) -> IndexPath {
    let path = IndexPath(section: section, row: row ?? self.rowCount(inSection: section) ?? 0)
    try checkInsertion(of: rowCount, at: path, maxRows: maxRows)
    return path
  }

  /// Inserts new rows; the first is at `path` afterwards.
  ///
  /// New rows are editable, movable and not pinned. The index is at most the number of rows of the
  /// section. Before the evicted rows are deleted, the board with the new rows may have at most
  /// `maxRows` rows.
  ///
  /// - Parameters:
  ///   - rows: The rows; each occurs once.
  ///   - path: The position of the first row.
  ///   - maxRows: The maximum number of rows.
  ///   - evicted: Rows of the board that the edit deletes, as ``evict(_:)`` does.
  /// - Returns: The revision; nil if there are no rows.
  /// - Throws: `BoardError` if the board refuses the insertion; nothing has changed then.
  public mutating func insert(
    _ rows: [RowID], at path: IndexPath, maxRows: Int, evicting evicted: [RowID] = []
  ) throws(BoardError) -> Revision? {
    try rows.checkDistinct()
    if let present = rows.first(where: contains) { throw .duplicateRow(present) }
    try checkInsertion(of: rows.count, at: path, maxRows: maxRows)
    guard !rows.isEmpty else { return nil }
    record.insert(rows.map { RowEntry($0) }, at: path, in: &storage)
    let deletions = takeOutEvicted(evicted)
    guard rows.count + deletions.rowCount <= Revision.maxChanges else { return conclude(nil) }
    let insertions: [Change] = rows.enumerated().map { offset, row in
      .insert(row, at: IndexPath(section: path.section, row: path.row + offset))
    }
    return conclude(deletions.isEmpty ? insertions : insertions + deletions.deletions)
  }

  /// Deletes the row at a path.
  public mutating func delete(at path: IndexPath) throws(BoardError) -> Revision? {
    try storage.checkRow(path, section: .section, row: .row)
    let entry = storage.entry(at: path)
    guard entry.isEditable else { throw .notEditable(entry.row) }
    record.remove(at: path, in: &storage)
    return conclude([.delete(entry.row, at: path)])
  }

  /// Deletes these rows, or none if a row is not editable or does not exist.
  public mutating func delete(_ rows: [RowID]) throws(BoardError) -> Revision? {
    try rows.checkDistinct()
    if let locked = try storage.entries(of: rows).first(where: { !$0.isEditable }) {
      throw .notEditable(locked.row)
    }
    guard !rows.isEmpty else { return nil }
    if rows.count == 1, let path = indexPath(of: rows[0]) { return try delete(at: path) }
    return concludeDeletion(of: record.remove(rows, in: &storage))
  }

  /// The rows that are editable and not pinned, or all editable rows.
  ///
  /// O(rows).
  public func clearableRows(includingPinned: Bool) -> [RowID] {
    storage.sections.indices.flatMap { section in
      storage.runs(ofSection: section).joined()
        .filter { $0.isClearable || includingPinned && $0.isEditable }.map(\.row)
    }
  }

  /// Deletes all rows that are editable and not pinned; the sections remain.
  ///
  /// O(rows).
  public mutating func clear() -> Revision? {
    let cleared = record.removeAll(in: &storage, where: \.isClearable)
    return cleared.isEmpty ? nil : concludeDeletion(of: cleared)
  }

  /// Records that the content of a row has changed.
  public mutating func reload(_ row: RowID) throws(BoardError) -> Revision? {
    guard let entry = storage.entry(of: row), let path = indexPath(of: row) else {
      throw .noSuchRow(row)
    }
    guard entry.isEditable else { throw .notEditable(row) }
    record.noteOtherContent(of: row)
    return conclude([.reload(row, at: path)])
  }

  /// Sets or clears flags of a row; other flags are unchanged.
  ///
  /// The revision reports a reload.
  public mutating func setFlags(
    _ flags: RowFlags, to isSet: Bool, of row: RowID
  ) throws(BoardError) -> Revision? {
    guard let entry = storage.entry(of: row), let path = indexPath(of: row) else {
      throw .noSuchRow(row)
    }
    let changed = isSet ? entry.flags.union(flags) : entry.flags.subtracting(flags)
    guard changed != entry.flags else { return nil }
    record.setFlags(changed, of: row, in: &storage)
    return conclude([.reload(row, at: path)])
  }

  private mutating func concludeDeletion(of runs: [RowRun]) -> Revision {
    conclude(runs.rowCount <= Revision.maxChanges ? runs.deletions : nil)
  }
}
