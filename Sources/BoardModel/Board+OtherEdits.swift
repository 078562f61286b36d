/// A part of an edit that was made on another copy of the board and is repeated on this board.
///
/// Each index refers to the board after all earlier parts of the edit.
public enum OtherEdit: Hashable, Sendable {
  /// Insert a new row; it is at the path afterwards.
  case insert(RowID, flags: RowFlags, at: IndexPath)

  /// Delete the row.
  case delete(RowID)

  /// Move the row; the destination is a path of the board without it.
  case move(RowID, to: IndexPath)

  /// Set the flags in `changing` to their values in `flags`.
  case setFlags(RowFlags, changing: RowFlags, of: RowID)

  /// Note that the content of the row has changed.
  case reload(RowID)

  /// Insert a section without rows.
  case insertSection(String, at: Int)

  /// Delete a section without rows.
  case deleteSection(at: Int)

  /// Move a section with its rows; the destination is its index after the move.
  case moveSection(from: Int, to: Int)

  /// Rename a section.
  case renameSection(to: String, at: Int)
}

/// The refusal of a part of an edit of others.
public struct OtherEditError: Error, Hashable, Sendable {
  /// The index of the part.
  public let index: Int

  /// The reason.
  public let error: BoardError
}

extension Board {
  /// Repeats edits that were made on another copy of the board, as one edit: all of them, or none.
  ///
  /// Rows that are not editable or not movable change, too, because the other copy has allowed it.
  /// Afterwards, `takeUndoStep` returns a step that undoes the edit, without the contents of
  /// deleted rows. This step does not become a step of the history. Instead,
  /// ``UndoStep/preceded(byOthers:)`` adds its operations to the latest step of the history.
  ///
  /// - Parameters:
  ///   - edits: The edits.
  ///   - maxRows: The maximum number of rows.
  ///   - maxSections: The maximum number of sections.
  /// - Returns: The revision; nil if nothing has changed.
  /// - Throws: `OtherEditError` if the board refuses a part; nothing has changed then.
  public mutating func apply(
    _ edits: [OtherEdit], maxRows: Int, maxSections: Int
  ) throws(OtherEditError) -> Revision? {
    var changes: [Change] = []
    let removedCount = storage.removedRows.count
    _ = record.take()
    for (index, edit) in edits.enumerated() {
      do throws(BoardError) {
        changes += try perform(edit, maxRows: maxRows, maxSections: maxSections)
      } catch {
        if let step = record.take() {
          _ = try? StepReplay(of: step, on: &storage, recording: &record)
          _ = record.take()
        }
        storage.removedRows.removeSubrange(removedCount...)
        throw OtherEditError(index: index, error: error)
      }
    }
    return changes.isEmpty ? nil : conclude(changes.count > Revision.maxChanges ? nil : changes)
  }

  private mutating func perform(
    _ edit: OtherEdit, maxRows: Int, maxSections: Int
  ) throws(BoardError) -> [Change] {
    switch edit {
    case .insert(let row, let flags, let path):
      if contains(row) { throw .duplicateRow(row) }
      try checkInsertion(of: 1, at: path, maxRows: maxRows)
      record.insert(CollectionOfOne(RowEntry(row, flags: flags)), at: path, in: &storage)
      return [.insert(row, at: path)]
    case .delete(let row):
      let path = try path(of: row)
      storage.forget(record.lift(path.row..<path.row + 1, inSection: path.section, of: &storage))
      return [.delete(row, at: path)]
    case .move(let row, let destination):
      let source = try path(of: row)
      try checkSection(.section, destination.section)
      let room =
        storage.sections[destination.section].rowCount
        - (source.section == destination.section ? 1 : 0)
      try check(.row, destination.row, isIn: 0..<room + 1)
      guard source != destination else { return [] }
      _ = record.move(from: source, to: destination, in: &storage)
      return [.move(row, from: source, to: destination)]
    case .setFlags(let flags, let changing, let row):
      let path = try path(of: row)
      let old = storage.entry(at: path).flags
      let new = old.subtracting(changing).union(flags.intersection(changing))
      guard new != old else { return [] }
      record.setFlags(new, of: row, in: &storage)
      return [.reload(row, at: path)]
    case .reload(let row): return [.reload(row, at: try path(of: row))]
    case .insertSection, .deleteSection, .moveSection, .renameSection:
      return try performOnSections(edit, maxSections: maxSections)
    }
  }

  private mutating func performOnSections(
    _ edit: OtherEdit, maxSections: Int
  ) throws(BoardError) -> [Change] {
    switch edit {
    case .insertSection(let name, let index):
      try checkNewSection(name, at: index, maxSections: maxSections)
      record.insertSection(named: name, at: index, in: &storage)
      return [.insertSection(name, at: index)]
    case .deleteSection(let index):
      try checkSection(.section, index)
      guard sectionCount > 1 else { throw .lastSection }
      try check(.row, storage.sections[index].rowCount, isIn: 0..<1)
      let name = storage.sections[index].name
      record.removeSection(at: index, in: &storage)
      return [.deleteSection(name, at: index)]
    case .moveSection(let source, let destination):
      try checkSection(.section, source)
      try checkSection(.row, destination)
      guard source != destination else { return [] }
      let name = storage.sections[source].name
      record.moveSection(from: source, to: destination, in: &storage)
      return [.moveSection(name, from: source, to: destination)]
    case .renameSection(let name, let index):
      try validate(name)
      try checkSection(.section, index)
      guard try isNew(name, unlike: index) else { return [] }
      record.renameSection(at: index, to: name, in: &storage)
      return [.renameSection(to: name, at: index)]
    default: return []
    }
  }

  private func path(of row: RowID) throws(BoardError) -> IndexPath {
    guard let path = indexPath(of: row) else { throw .noSuchRow(row) }
    return path
  }
}
