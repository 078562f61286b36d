/// The replay of edits that were made on another copy of the board, and the resulting changes.
struct OtherEditReplay {
  /// The changes; none if the parts cancel each other out.
  private(set) var changes: [Change] = []
  private let maxRows: Int
  private let maxSections: Int
  private let unchanged: Set<RowID>

  /// Performs all parts of the edit; throws and changes nothing if a part is refused.
  init(
    of edits: [OtherEdit], on storage: inout RowStorage, recording record: inout UndoRecord,
    maxRows: Int, maxSections: Int, unchanged: Set<RowID>
  ) throws(OtherEditError) {
    (self.maxRows, self.maxSections, self.unchanged) = (maxRows, maxSections, unchanged)
    let before = edits.count > 1 ? Extract(of: edits, from: storage) : nil
    let removedCount = storage.removedRows.count
    _ = record.take()
    for (index, edit) in edits.enumerated() {
      do throws(BoardError) {
        changes += try perform(edit, on: &storage, recording: &record)
      } catch {
        if let step = record.take() {
          _ = try? StepReplay(of: step, on: &storage, recording: &record)
          _ = record.take()
        }
        storage.removedRows.removeSubrange(removedCount...)
        throw OtherEditError(index: index, error: error)
      }
    }
    guard let before, !changesContents(of: edits, on: storage),
      before == Extract(of: edits, from: storage)
    else { return }
    _ = record.take()
    changes = []
  }

  /// Returns whether a row of the board has got another content.
  private func changesContents(of edits: [OtherEdit], on storage: RowStorage) -> Bool {
    edits.contains { edit in
      if case .reload(let row) = edit {
        !unchanged.contains(row) && storage.contains(row)
      } else {
        false
      }
    }
  }

  /// Performs a part, and returns its changes.
  private func perform(
    _ edit: OtherEdit, on storage: inout RowStorage, recording record: inout UndoRecord
  ) throws(BoardError) -> [Change] {
    switch edit {
    case .insert(let row, let flags, let path):
      if storage.contains(row) { throw .duplicateRow(row) }
      try storage.checkInsertion(of: 1, at: path, maxRows: maxRows)
      record.insert(CollectionOfOne(RowEntry(row, flags: flags)), at: path, in: &storage)
      return [.insert(row, at: path)]
    case .delete(let row):
      let path = try storage.path(of: row)
      storage.forget(record.lift(path.row..<path.row + 1, inSection: path.section, of: &storage))
      return [.delete(row, at: path)]
    case .move(let row, let destination):
      let source = try storage.path(of: row)
      try storage.checkSection(.section, destination.section)
      let room =
        storage.sections[destination.section].rowCount
        - (source.section == destination.section ? 1 : 0)
      try IndexArgument.row.check(destination.row, isIn: 0..<room + 1)
      guard source != destination else { return [] }
      _ = record.move(from: source, to: destination, in: &storage)
      return [.move(row, from: source, to: destination)]
    case .setFlags(let flags, let changing, let row):
      let path = try storage.path(of: row)
      let old = storage.entry(at: path).flags
      let new = old.subtracting(changing).union(flags.intersection(changing))
      guard new != old else { return [] }
      record.setFlags(new, of: row, in: &storage)
      return [.reload(row, at: path)]
    case .reload(let row):
      let path = try storage.path(of: row)
      return unchanged.contains(row) ? [] : [.reload(row, at: path)]
    case .insertSection, .deleteSection, .moveSection, .renameSection:
      return try performOnSections(edit, on: &storage, recording: &record)
    }
  }

  private func performOnSections(
    _ edit: OtherEdit, on storage: inout RowStorage, recording record: inout UndoRecord
  ) throws(BoardError) -> [Change] {
    switch edit {
    case .insertSection(let name, let index):
      try storage.checkNewSection(name, at: index, maxSections: maxSections)
      record.insertSection(named: name, at: index, in: &storage)
      return [.insertSection(name, at: index)]
    case .deleteSection(let index):
      try storage.checkSection(.section, index)
      guard storage.sections.count > 1 else { throw .lastSection }
      try IndexArgument.row.check(storage.sections[index].rowCount, isIn: 0..<1)
      let name = storage.sections[index].name
      record.removeSection(at: index, in: &storage)
      return [.deleteSection(name, at: index)]
    case .moveSection(let source, let destination):
      try storage.checkSection(.section, source)
      try storage.checkSection(.row, destination)
      guard source != destination else { return [] }
      let name = storage.sections[source].name
      record.moveSection(from: source, to: destination, in: &storage)
      return [.moveSection(name, from: source, to: destination)]
    case .renameSection(let name, let index):
      guard try storage.isNew(name, ofSection: index) else { return [] }
      record.renameSection(at: index, to: name, in: &storage)
      return [.renameSection(to: name, at: index)]
    default: return []
    }
  }
}

extension RowStorage {
  /// Returns the path of a row; throws if it is not on the board.
  fileprivate func path(of row: RowID) throws(BoardError) -> IndexPath {
    guard let path = indexPath(of: row) else { throw .noSuchRow(row) }
    return path
  }
}

/// The part of a storage that edits can change: the sections, and the rows that the edits name.
///
/// Other rows keep their order. So if the extracts before and after the edits are equal, the edits
/// have moved, inserted and deleted nothing.
private struct Extract: Equatable {
  private let sections: [String]
  private var entries: [RowEntry] = []
  private var paths: [IndexPath] = []

  init(of edits: [OtherEdit], from storage: RowStorage) {
    sections = storage.sections.map(\.name)
    let rows = edits.compactMap(\.row).filter(storage.contains)
    entries = rows.compactMap(storage.entry(of:))
    paths = storage.indexPaths(of: rows)
  }
}

extension OtherEdit {
  /// The row that the edit names; nil for an edit of a section.
  fileprivate var row: RowID? {
    switch self {
    case .insert(let row, _, _), .delete(let row), .move(let row, _), .setFlags(_, _, let row),
      .reload(let row):
      row
    case .insertSection, .deleteSection, .moveSection, .renameSection: nil
    }
  }
}
