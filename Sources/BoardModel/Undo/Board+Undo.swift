// Taking edits back, and making them again.

extension Board {
  /// What takes the latest edit back or, where that was an undo, makes the edit again.
  ///
  /// Given once for each edit, as long as no other has followed. O(1).
  public mutating func takeUndoStep() -> UndoStep? {
    storage.recorded.take()
  }

  /// Takes back the edit that the step was given for, or makes it again.
  ///
  /// The board has to stand as it did when the step was given. Rows come back with their ids and
  /// gates, sections with their names, whatever the limits. Afterwards `takeUndoStep` gives the
  /// opposite step. A step that does not fit changes nothing. O(size of the step), but for what the
  /// single edits cost.
  public mutating func apply(_ step: UndoStep) throws(HistoryDamage) -> Revision {
    var told = ToldChanges()
    for (index, operation) in step.operations.enumerated() {
      guard fits(operation) else {
        takeBackRecorded()
        throw .doesNotFit(operation: index)
      }
      perform(operation, telling: &told)
    }
    return conclude(told.changes)
  }

  private mutating func takeBackRecorded() {
    var told = ToldChanges()
    let step = storage.recorded.take()
    for operation in step?.operations ?? [] { perform(operation, telling: &told) }
    _ = storage.recorded.take()
  }
}

/// The changes of a revision, as long as they are not too many to tell.
private struct ToldChanges {
  /// The changes; nil where they are too many.
  private(set) var changes: [Change]? = []

  /// Adds one change.
  mutating func append(_ change: Change) { append(1) { [change] } }

  /// Adds so many changes, which are made only where they are told.
  mutating func append(_ count: Int, _ make: () -> [Change]) {
    let isTold = (changes?.count ?? 0) + count <= Revision.mostChanges
    if isTold { changes?.append(contentsOf: make()) } else { changes = nil }
  }
}

// MARK: Operations

extension Board {
  private mutating func perform(
    _ operation: UndoStep.Operation, telling told: inout ToldChanges
  ) {
    switch operation {
    case .insert(let entries, let path):
      storage.insert(entries, at: path)
      told.append(entries.count) { insertions(of: entries, at: path) }
    case .put(let entries, let path):
      storage.put(entries, at: path)
      told.append(entries.count) { insertions(of: entries, at: path) }
    case .delete(let count, let path):
      told.append(count) { deletions(of: count, at: path) }
      storage.remove(path.row..<path.row + count, inSection: path.section)
    case .lift(let count, let path):
      told.append(count) { deletions(of: count, at: path) }
      storage.forget(storage.lift(path.row..<path.row + count, inSection: path.section))
    case .move(let source, let destination):
      let entry = storage.move(from: source, to: destination)
      told.append(.move(entry.row, from: source, to: destination))
    case .setGates(let gates, let row):
      storage.setGates(gates, of: row)
      reload(row, telling: &told)
    case .exchangeContent(let row):
      storage.noteOtherContent(of: row)
      reload(row, telling: &told)
    case .insertSection, .deleteSection, .moveSection, .renameSection:
      performOnSections(operation, telling: &told)
    }
  }

  private mutating func performOnSections(
    _ operation: UndoStep.Operation, telling told: inout ToldChanges
  ) {
    switch operation {
    case .insertSection(let name, let index):
      storage.insertSection(named: name, at: index)
      told.append(.insertSection(name, at: index))
    case .deleteSection(let index):
      told.append(.deleteSection(storage.sections[index].name, at: index))
      storage.removeSection(at: index)
    case .moveSection(let source, let destination):
      told.append(.moveSection(storage.sections[source].name, from: source, to: destination))
      storage.moveSection(from: source, to: destination)
    case .renameSection(let name, let index):
      storage.renameSection(at: index, to: name)
      told.append(.renameSection(to: name, at: index))
    default: break
    }
  }

  private func insertions(of entries: [RowEntry], at path: IndexPath) -> [Change] {
    entries.enumerated().map { offset, entry in
      .insert(entry.row, at: IndexPath(section: path.section, row: path.row + offset))
    }
  }

  private func deletions(of count: Int, at path: IndexPath) -> [Change] {
    let entries = storage.entries(inSection: path.section, path.row..<path.row + count)
    return [RowRun(entries, at: path)].deletions
  }

  private func reload(_ row: RowID, telling told: inout ToldChanges) {
    if let path = indexPath(of: row) { told.append(.reload(row, at: path)) }
  }
}

// MARK: Checks

extension Board {
  /// Whether the operation can be performed: a step may have been damaged, or belong elsewhere.
  private func fits(_ operation: UndoStep.Operation) -> Bool {
    switch operation {
    case .insert(let entries, let path), .put(let entries, let path):
      (rowCount(inSection: path.section) ?? -1) >= path.row && path.row >= 0 && areNew(entries)
    case .delete(let count, let path), .lift(let count, let path):
      count > 0 && path.row >= 0
        && (rowCount(inSection: path.section) ?? 0) - path.row >= count
    case .move(let source, let destination): fitsMove(from: source, to: destination)
    case .setGates(_, let row), .exchangeContent(let row): contains(row)
    case .insertSection(let name, let index):
      0...sectionCount ~= index && !sectionNames.contains(name)
    case .deleteSection(let index): rowCount(inSection: index) == 0 && sectionCount > 1
    case .moveSection(let source, let destination):
      0..<sectionCount ~= source && 0..<sectionCount ~= destination
    case .renameSection(let name, let index):
      0..<sectionCount ~= index && !sectionNames.contains(name)
    }
  }

  private func fitsMove(from source: IndexPath, to destination: IndexPath) -> Bool {
    let isWithin = source.section == destination.section
    let room = (rowCount(inSection: destination.section) ?? -1) - (isWithin ? 1 : 0)
    return row(at: source) != nil && destination.row >= 0 && destination.row <= room
  }

  /// Whether they are rows, at least one, that the board does not have, none twice.
  private func areNew(_ entries: [RowEntry]) -> Bool {
    var seen = RowSet()
    return !entries.isEmpty
      && entries.allSatisfy { !contains($0.row) && seen.insert($0.row) }
  }
}
