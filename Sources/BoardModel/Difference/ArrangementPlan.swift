/// The steps that turn a board into an arrangement: deletions of rows, changes of sections, moves
/// of rows, and deletions of sections, in this order.
struct ArrangementPlan {
  let deletions: [(row: RowID, path: IndexPath)]
  /// Nil if the arrangement covers one section only.
  let sections: SectionPlan?
  let rows: RowPlan

  /// If at least this number of rows move, the plan removes and inserts all examined rows at once.
  private static let minMovesAtOnce = 16

  /// If the number of examined rows for each move is larger, the plan moves rows one by one.
  private static let maxRowsPerMove = 100

  /// Plans the wanted sections of a board; at most `maxSections` may exist afterwards.
  init(
    _ wanted: [SnapshotSection], of storage: RowStorage, maxSections: Int
  ) throws(BoardError) {
    let (oldNames, names) = (storage.sections.map(\.name), wanted.map(\.name))
    let sections = SectionPlan(from: oldNames, to: names)
    let tasks = sections.places.enumerated().map { index, place in
      RowPlan.Task(old: place.old, index: index, wanted: place.wanted.map { wanted[$0].rows } ?? [])
    }
    var rows = try RowPlan(
      for: tasks.sorted { ($0.old ?? .max, $0.index) < ($1.old ?? .max, $1.index) }, of: storage)
    deletions = try rows.deletions()
    try rows.chooseStaying()
    guard wanted.count <= maxSections || Set(oldNames).isSuperset(of: names) else {
      throw .limitExceeded(.sections, limit: maxSections)
    }
    (self.sections, self.rows) = (sections, rows)
  }

  /// Plans the wanted order of all rows of a section, which must exist.
  init(
    _ wanted: [RowID], ofSection section: Int, of storage: RowStorage
  ) throws(ArrangementError) {
    let task = RowPlan.Task(old: section, index: section, wanted: wanted)
    var rows: RowPlan
    do throws(BoardError) { rows = try RowPlan(for: [task], of: storage) } catch {
      if case .noSuchRow(let row) = error, storage.contains(row) {
        throw .rowElsewhere(row, section: section)
      }
      throw .refused(error)
    }
    if let missing = rows.isWanted.firstIndex(of: false) {
      throw .rowMissing(rows.entries[missing].row, section: section)
    }
    do throws(BoardError) { try rows.chooseStaying() } catch { throw .refused(error) }
    (deletions, sections, self.rows) = ([], nil, rows)
  }

  var changeCount: Int {
    deletions.count + (sections?.arranging.count ?? 0) + rows.moveCount
      + (sections?.deleting.count ?? 0)
  }

  /// Performs the plan; returns the changes, or nil if there are too many to report.
  func perform(on storage: inout RowStorage, recording record: inout UndoRecord) -> [Change]? {
    let (arranging, deleting) = (sections?.arranging ?? [], sections?.deleting ?? [])
    var changes: [Change] = deletions.map { .delete($0.row, at: $0.path) } + arranging
    let isReported = changeCount <= Revision.maxChanges
    if isReported { rows.appendMoves(to: &changes) }
    remove(from: &storage, recording: &record)
    for change in arranging { Self.perform(change, on: &storage, recording: &record) }
    let moves = isReported ? changes.suffix(rows.moveCount) : nil
    if let moves, !movesAtOnce {
      for change in moves { Self.perform(change, on: &storage, recording: &record) }
    } else {
      rearrange(&storage, recording: &record, as: moves)
    }
    for change in deleting { Self.perform(change, on: &storage, recording: &record) }
    return isReported ? changes + deleting : nil
  }

  private var movesAtOnce: Bool {
    rows.moveCount >= Self.minMovesAtOnce
      && rows.moveCount * Self.maxRowsPerMove >= rows.targets.count
  }

  private func remove(from storage: inout RowStorage, recording record: inout UndoRecord) {
    if deletions.count == 1 {
      record.remove(at: deletions[0].path, in: &storage)
    } else if deletions.count > 1 {
      _ = record.remove(deletions.map(\.row), in: &storage)
    }
  }

  private static func perform(
    _ change: Change, on storage: inout RowStorage, recording record: inout UndoRecord
  ) {
    switch change {
    case .move(_, let source, let destination):
      _ = record.move(from: source, to: destination, in: &storage)
    case .insertSection(let name, let index):
      record.insertSection(named: name, at: index, in: &storage)
    case .deleteSection(_, let index): record.removeSection(at: index, in: &storage)
    case .moveSection(_, let source, let destination):
      record.moveSection(from: source, to: destination, in: &storage)
    case .insert, .delete, .reload, .renameSection, .reset: break
    }
  }

  /// Removes all rows of the plan, and inserts them in the wanted order.
  ///
  /// If `moves` is not nil, the revision reports moves, and the undo step also consists of moves.
  private func rearrange(
    _ storage: inout RowStorage, recording record: inout UndoRecord, as moves: ArraySlice<Change>?
  ) {
    let before = record.count
    for part in rows.parts {
      let count = part.rows.count { rows.isWanted[$0] }
      record.lift(part.prefix..<part.prefix + count, inSection: part.index, of: &storage)
    }
    for part in rows.parts {
      let wanted = rows.targets[part.wanted].map { rows.entries[$0] }
      record.put(wanted, at: IndexPath(section: part.index, row: part.prefix), in: &storage)
    }
    guard let moves else { return }
    record.replace(after: before, with: moves.compactMap(\.inverseMove))
  }
}

extension Change {
  fileprivate var inverseMove: UndoStep.Operation? {
    guard case .move(_, let source, let destination) = self else { return nil }
    return .move(from: destination, to: source)
  }
}
