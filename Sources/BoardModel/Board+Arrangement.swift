// Making the board as it is to be, in as few steps as can be.

extension Board {
  /// Makes the board, or the section, as the arrangement says.
  ///
  /// Rows that it does not name are deleted, the rest are moved; sections, matched by name, come
  /// and go, and those that stay are moved. No shorter series of moves leads there: a row that
  /// changes its section is moved once, and the longest series of rows that are in order already
  /// stays. Rows that are not movable keep their section and their order and are told in no move.
  /// With new sections the board can have `maxSections`. O(n log n), where n is the rows between
  /// the first and the last difference of each section, and a comparison of the others.
  public mutating func apply(
    _ arrangement: Arrangement, maxSections: Int
  ) throws(ArrangementError) -> Revision? {
    switch arrangement.scope {
    case .board(let sections):
      do throws(BoardError) {
        return try apply(sections, maxSections: maxSections)
      } catch { throw .refused(error) }
    case .section(let section, let rows): return try apply(rows, toSection: section)
    }
  }

  private mutating func apply(
    _ wanted: [SnapshotSection], maxSections: Int
  ) throws(BoardError) -> Revision? {
    let names = wanted.map(\.name)
    let sections = SectionPlan(from: sectionNames, to: names)
    let tasks = sections.places.enumerated().map { index, place in
      RowPlan.Task(old: place.old, index: index, wanted: place.wanted.map { wanted[$0].rows } ?? [])
    }
    var rows = try RowPlan(
      for: tasks.sorted { ($0.old ?? .max, $0.index) < ($1.old ?? .max, $1.index) }, of: storage)
    let deletions = try rows.deletions()
    try rows.chooseStaying()
    guard wanted.count <= maxSections || Set(sectionNames).isSuperset(of: names) else {
      throw .limitExceeded(.sections, limit: maxSections)
    }
    return perform(deletions, sections, rows)
  }

  private mutating func apply(
    _ wanted: [RowID], toSection section: Int
  ) throws(ArrangementError) -> Revision? {
    do throws(BoardError) { try checkSection(.section, section) } catch { throw .refused(error) }
    var rows = try plan(wanted, forSection: section)
    if let missing = rows.isWanted.firstIndex(of: false) {
      throw .rowMissing(rows.entries[missing].row, section: section)
    }
    do throws(BoardError) { try rows.chooseStaying() } catch { throw .refused(error) }
    return perform([], nil, rows)
  }

  private func plan(
    _ wanted: [RowID], forSection section: Int
  ) throws(ArrangementError) -> RowPlan {
    let task = RowPlan.Task(old: section, index: section, wanted: wanted)
    do throws(BoardError) {
      return try RowPlan(for: [task], of: storage)
    } catch {
      if case .noSuchRow(let row) = error, contains(row) {
        throw .rowElsewhere(row, section: section)
      }
      throw .refused(error)
    }
  }
}

// MARK: Performing

extension Board {
  /// From this many moves on, rows are taken out and put in all at once, unless there are far more
  /// rows between them.
  private static let manyMoves = 16

  /// Up to this many rows are taken out and put in for each move that is saved by it.
  private static let rowsPerMove = 100

  private mutating func perform(
    _ deletions: [(row: RowID, path: IndexPath)], _ sections: SectionPlan?, _ rows: RowPlan
  ) -> Revision? {
    let arranging = sections?.arranging ?? []
    let deleting = sections?.deleting ?? []
    let count = deletions.count + arranging.count + rows.moveCount + deleting.count
    guard count > 0 else { return nil }
    var changes: [Change] = deletions.map { .delete($0.row, at: $0.path) } + arranging
    let isTold = count <= Revision.mostChanges
    if isTold { rows.tellMoves(to: &changes) }
    remove(deletions)
    for change in arranging { perform(change) }
    if isTold, !isManyMoves(rows) {
      for change in changes.suffix(rows.moveCount) { perform(change) }
    } else {
      rearrange(rows, telling: isTold ? changes.suffix(rows.moveCount) : nil)
    }
    for change in deleting { perform(change) }
    return conclude(isTold ? changes + deleting : nil)
  }

  private func isManyMoves(_ rows: RowPlan) -> Bool {
    rows.moveCount >= Self.manyMoves && rows.moveCount * Self.rowsPerMove >= rows.targets.count
  }

  private mutating func remove(_ deletions: [(row: RowID, path: IndexPath)]) {
    if deletions.count == 1 {
      storage.remove(at: deletions[0].path)
    } else if deletions.count > 1 {
      _ = storage.remove(deletions.map(\.row))
    }
  }

  /// Does to the storage what a move of a row, or a change of sections, tells.
  private mutating func perform(_ change: Change) {
    switch change {
    case .move(_, let source, let destination):
      _ = storage.move(from: source, to: destination)
    case .insertSection(let name, let index): storage.insertSection(named: name, at: index)
    case .deleteSection(_, let index): storage.removeSection(at: index)
    case .moveSection(_, let source, let destination):
      storage.moveSection(from: source, to: destination)
    case .insert, .delete, .reload, .renameSection, .reset: break
    }
  }

  /// Takes out all rows that the plan looks at and puts them in as they are wanted; where that is
  /// told as moves, it is taken back by moves, too.
  private mutating func rearrange(_ rows: RowPlan, telling moves: ArraySlice<Change>?) {
    let before = storage.recorded.count
    for part in rows.parts {
      let count = part.rows.count { rows.isWanted[$0] }
      storage.lift(part.prefix..<part.prefix + count, inSection: part.index)
    }
    for part in rows.parts {
      let wanted = rows.targets[part.wanted].map { rows.entries[$0] }
      storage.put(wanted, at: IndexPath(section: part.index, row: part.prefix))
    }
    guard let moves else { return }
    storage.recorded.replace(after: before, with: moves.compactMap(\.takenBackMove))
  }
}

extension Change {
  /// What takes a move back.
  fileprivate var takenBackMove: UndoStep.Operation? {
    guard case .move(_, let source, let destination) = self else { return nil }
    return .move(from: destination, to: source)
  }
}
