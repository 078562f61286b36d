extension UndoStep {
  /// Translates the step to a step for the present board, on which others have made edits since.
  ///
  /// The rows of an operation are found by their ids, and the positions of its insertions by the
  /// rows before them. Operations whose rows others have deleted are left out.
  ///
  /// - Returns: the translated step; nil if no operation is left. Then the edits to which earlier
  ///   steps of the history must be adapted after this step; nil if there are none.
  /// - Throws: `HistoryDamage` if the step does not fit.
  /// - Complexity: O(rows of the board + size of the step).
  package func withoutOthers(
    on board: Board
  ) throws(HistoryDamage) -> (step: UndoStep?, unrecorded: EditHistory.Unrecorded?) {
    var translation = OthersTranslation(on: board.storage)
    for (index, operation) in operations.enumerated() {
      guard translation.add(operation) else { throw .doesNotFit(operation: index) }
    }
    return translation.result
  }
}

/// The translation of a step's operations for a board with the edits of others.
private struct OthersTranslation {
  /// The number of neighbours of each position that may be looked up on the present board.
  private static let maxNeighbours = 64
  /// The number of neighbours of all positions that may be looked up in addition.
  private var moreNeighbours = 1 << 18

  /// The board with the edits of others, before the step.
  private let before: RowStorage
  /// The board without the edits of others.
  private var own: RowStorage
  /// The board with the edits of others, on which the translated operations are performed.
  private var present: RowStorage
  /// For each section of `own`, a number that the same section has in `presentSections`.
  private var ownSections: [Int]
  private var presentSections: [Int]
  private var lastSection: Int
  private var operations: [UndoStep.Operation] = []
  /// Whether the step has only undone edits of others so far.
  private var isAtStart = true
  private var lifted = RowSet()
  /// The rows that others have moved, so that they are no neighbours.
  private var moved = RowSet()

  init(on storage: RowStorage) {
    (before, own, present) = (storage, storage, storage)
    ownSections = Array(storage.sections.indices)
    presentSections = ownSections
    lastSection = ownSections.count
  }

  /// Adds the next operation; returns false if it does not fit.
  mutating func add(_ operation: UndoStep.Operation) -> Bool {
    if isAtStart {
      switch operation {
      case .put: return reverse(operation)
      case .others(let operations): return operations.allSatisfy { reverse($0) }
      default: isAtStart = false
      }
    }
    guard operation.fits(own) else { return false }
    switch operation {
    case .insert, .put, .move: return addPlaced(operation)
    case .insertSection, .deleteSection, .moveSection, .renameSection:
      return addToSections(operation)
    case .delete(let count, let path):
      remove(rows(count, at: path)) { .delete($0, at: $1) }
    case .lift(let count, let path):
      let rows = rows(count, at: path)
      for row in rows where present.contains(row) { lifted.insert(row) }
      remove(rows) { .lift($0, at: $1) }
    case .setFlags(let flags, let row):
      if let old = own.entry(of: row)?.flags, let now = present.entry(of: row)?.flags {
        let changing = old.symmetricDifference(flags)
        emit(.setFlags(now.subtracting(changing).union(flags.intersection(changing)), of: row))
      }
    case .exchangeContent(let row): if present.contains(row) { emit(operation) }
    case .changeRetention: emit(operation)
    case .others: return false
    }
    return perform(operation)
  }

  /// Reverses an edit of others.
  private mutating func reverse(_ operation: UndoStep.Operation) -> Bool {
    switch operation {
    case .put(let entries, _): for entry in entries { moved.insert(entry.row) }
    case .move(let source, _): if let row = own.row(at: source) { moved.insert(row) }
    default: break
    }
    return perform(operation)
  }

  // MARK: Rows

  private func rows(_ count: Int, at path: IndexPath) -> [RowID] {
    own.entries(inSection: path.section, path.row..<path.row + count).map(\.row)
  }

  /// Removes rows of the present board, the last run of adjacent rows first.
  private mutating func remove(
    _ rows: [RowID], _ operation: (Int, IndexPath) -> UndoStep.Operation
  ) {
    var runs: [(start: IndexPath, count: Int)] = []
    for path in rows.compactMap(present.indexPath(of:)).sorted() {
      if let last = runs.last, last.start.section == path.section,
        last.start.row + last.count == path.row
      {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((path, 1))
      }
    }
    for run in runs.reversed() { emit(operation(run.count, run.start)) }
  }

  /// Adds an operation whose position depends on the rows beside it.
  private mutating func addPlaced(_ operation: UndoStep.Operation) -> Bool {
    guard perform(operation) else { return false }
    switch operation {
    case .insert(let entries, let path):
      let new = entries.filter { !present.contains($0.row) }
      guard !new.isEmpty else { break }
      let target = target(of: path, count: entries.count)
      emit(.insert(new, at: target))
    case .put(let entries, let path):
      let known = entries.filter { lifted.contains($0.row) && !present.contains($0.row) }
      guard !known.isEmpty else { break }
      let target = target(of: path, count: entries.count)
      emit(.put(known, at: target))
    case .move(_, let path):
      guard let row = own.row(at: path), let source = present.indexPath(of: row) else { break }
      var destination = target(of: path, count: 1)
      if destination.section == source.section, destination.row > source.row {
        destination.row -= 1
      }
      if destination != source { emit(.move(from: source, to: destination)) }
    default: break
    }
    return true
  }

  /// Translates a path of the board without the edits of others to a path of the present board.
  ///
  /// `count` rows are at the path. The nearest row before or after them that is on the present
  /// board, and that others have not moved, determines the position.
  private mutating func target(of path: IndexPath, count: Int) -> IndexPath {
    guard let section = presentSections.firstIndex(of: ownSections[path.section]) else {
      return IndexPath(section: 0, row: present.sections[0].rowCount)
    }
    let max = Swift.max(Self.maxNeighbours, moreNeighbours)
    var lookups = 0
    defer { moreNeighbours -= lookups }
    func place(of row: Int) -> Int? {
      lookups += 1
      guard let row = own.row(at: IndexPath(section: path.section, row: row)),
        !moved.contains(row), let found = present.indexPath(of: row), found.section == section
      else { return nil }
      return found.row
    }
    let first = Swift.max(0, path.row - max)
    for row in (first..<path.row).reversed() {
      if let found = place(of: row) { return IndexPath(section: section, row: found + 1) }
    }
    if first == 0 { return IndexPath(section: section, row: 0) }
    let next = path.row + count
    for row in next..<Swift.max(next, min(next + max, own.sections[path.section].rowCount)) {
      if let found = place(of: row) { return IndexPath(section: section, row: found) }
    }
    return IndexPath(section: section, row: present.sections[section].rowCount)
  }

  // MARK: Sections

  private mutating func addToSections(_ operation: UndoStep.Operation) -> Bool {
    func index(_ section: Int) -> Int? { presentSections.firstIndex(of: ownSections[section]) }
    let translated: UndoStep.Operation?
    switch operation {
    case .insertSection(let name, let place):
      let before = place == 0 ? nil : index(place - 1)
      translated = .insertSection(name, at: before.map { $0 + 1 } ?? 0)
    case .deleteSection(let section): translated = index(section).map { .deleteSection(at: $0) }
    case .moveSection(let source, let destination):
      translated = index(source).map {
        .moveSection(from: $0, to: min(destination, present.sections.count - 1))
      }
    case .renameSection(let name, let section):
      translated = index(section).map { .renameSection(to: name, at: $0) }
    default: translated = nil
    }
    let identity = lastSection
    guard perform(operation) else { return false }
    if let translated { emit(translated, identity: identity) }
    return true
  }

  // MARK: Performing

  /// Performs an operation on the board without the edits of others.
  private mutating func perform(_ operation: UndoStep.Operation) -> Bool {
    guard Self.perform(operation, on: &own) else { return false }
    Self.arrange(&ownSections, operation, identity: lastSection)
    if case .insertSection = operation { lastSection += 1 }
    return true
  }

  /// Performs a translated operation on the present board, if it fits.
  private mutating func emit(_ operation: UndoStep.Operation, identity: Int = -1) {
    guard Self.perform(operation, on: &present) else { return }
    Self.arrange(&presentSections, operation, identity: identity)
    operations.append(operation)
  }

  private static func perform(
    _ operation: UndoStep.Operation, on storage: inout RowStorage
  ) -> Bool {
    var record = UndoRecord()
    let step = UndoStep(operations: [operation])
    return (try? StepReplay(of: step, on: &storage, recording: &record)) != nil
  }

  /// Applies an operation on sections to a list of numbers that identify the sections.
  private static func arrange(
    _ sections: inout [Int], _ operation: UndoStep.Operation, identity: Int
  ) {
    switch operation {
    case .insertSection(_, let index): sections.insert(identity, at: index)
    case .deleteSection(let index): sections.remove(at: index)
    case .moveSection(let source, let destination):
      sections.insert(sections.remove(at: source), at: destination)
    default: break
    }
  }

  // MARK: The result

  var result: (step: UndoStep?, unrecorded: EditHistory.Unrecorded?) {
    let step = UndoStep(operations: operations)
    let effective = step.hasEffect(from: before, to: present) ? step : nil
    guard ownSections == presentSections,
      let others = present.operations(to: own, moving: moved)
    else { return (effective, .unknown) }
    return (effective, others.isEmpty ? nil : .others(UndoStep(operations: others)))
  }
}
