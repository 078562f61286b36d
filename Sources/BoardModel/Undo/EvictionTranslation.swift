extension UndoStep {
  /// The maximum number of evicted rows of a step.
  public static let maxEvicted = 10_000

  /// The number of evicted rows that the step puts back first.
  ///
  /// Operations `put` at the start of a step restore evicted rows, because any other step lifts
  /// rows before it puts them.
  public var evictedCount: Int {
    var count = 0
    for case .put(let entries, _) in operations.prefix(while: \.isPut) { count += entries.count }
    return count
  }

  /// Returns a step that performs `other` first.
  public func preceded(by other: UndoStep) -> UndoStep {
    UndoStep(operations: other.operations + operations)
  }

  /// Translates a step that refers to evicted rows to a step for the present board.
  ///
  /// - Returns: two steps. The first is this step without the evicted rows; nil if no operation is
  ///   left. The second puts the evicted rows back afterwards; nil if there are none.
  /// - Throws: `HistoryDamage` if the step does not fit, or if it concerns too many evicted rows.
  /// - Complexity: O(rows of the board) if the step has evicted rows.
  public func withoutEvictedRows(
    on board: Board
  ) throws(HistoryDamage) -> (step: UndoStep?, evicted: UndoStep?) {
    guard evictedCount > 0 else { return (self, nil) }
    var translation = EvictionTranslation(on: board.storage)
    for (index, operation) in operations.enumerated() {
      guard try translation.add(operation) else { throw .doesNotFit(operation: index) }
    }
    return translation.result
  }
}

extension UndoStep.Operation {
  fileprivate var isPut: Bool {
    if case .put = self { true } else { false }
  }
}

/// The translation of a step's operations for a board without the rows that were evicted.
private struct EvictionTranslation {
  /// The maximum number of comparisons of positions.
  private static let maxComparisons = 200_000

  /// The board with the evicted rows.
  private var storage: RowStorage
  private var evicted = RowSet()
  private var evictedRows: [RowID] = []
  private var operations: [UndoStep.Operation] = []
  private var comparisons = 0
  /// Whether the step has only put back evicted rows so far.
  private var isAtStart = true

  /// The board without the evicted rows, before the step.
  private let present: RowStorage

  init(on storage: RowStorage) { (self.storage, present) = (storage, storage) }

  /// Adds the next operation; returns false if it does not fit.
  mutating func add(_ operation: UndoStep.Operation) throws(HistoryDamage) -> Bool {
    guard operation.fits(storage) else { return false }
    comparisons += evictedRows.count
    guard comparisons <= Self.maxComparisons else { throw .tooManyEvicted }
    if let translated = translate(operation) { operations.append(translated) }
    var record = UndoRecord()
    let step = UndoStep(operations: [operation])
    _ = try StepReplay(of: step, on: &storage, recording: &record)
    return true
  }

  private mutating func translate(_ operation: UndoStep.Operation) -> UndoStep.Operation? {
    if isAtStart, case .put(let entries, _) = operation {
      for entry in entries { evicted.insert(entry.row) }
      evictedRows += entries.map(\.row)
      return nil
    }
    isAtStart = false
    switch operation {
    case .put(let entries, let path):
      let present = entries.filter { !evicted.contains($0.row) }
      return present.isEmpty ? nil : .put(present, at: translate(path))
    case .insert(let entries, let path): return .insert(entries, at: translate(path))
    case .delete(let count, let path):
      let present = count - evictedCount(count, at: path)
      return present == 0 ? nil : .delete(present, at: translate(path))
    case .lift(let count, let path):
      let present = count - evictedCount(count, at: path)
      return present == 0 ? nil : .lift(present, at: translate(path))
    case .move(let source, let destination):
      guard !evicted.contains(storage.entry(at: source).row) else { return nil }
      let (start, end) = (translate(source), translate(destination, without: source))
      return start == end ? nil : .move(from: start, to: end)
    case .setFlags(_, let row), .exchangeContent(let row):
      return evicted.contains(row) ? nil : operation
    case .insertSection, .deleteSection, .moveSection, .renameSection, .changeRetention, .others:
      return operation
    }
  }

  /// The positions of the evicted rows that the step has not deleted so far.
  private var evictedPaths: [IndexPath] { storage.indexPaths(of: evictedRows) }

  /// The number of evicted rows in a range of a section.
  private func evictedCount(_ count: Int, at path: IndexPath) -> Int {
    evictedPaths.count {
      $0.section == path.section && path.row..<path.row + count ~= $0.row
    }
  }

  /// Returns the path that a position has after the removal of the evicted rows.
  ///
  /// If `row` is not nil, the row at this path is removed, too.
  private func translate(_ path: IndexPath, without row: IndexPath? = nil) -> IndexPath {
    let count = evictedPaths.count { evicted in
      let isBehind = row.map { $0.section == evicted.section && $0.row < evicted.row } ?? false
      return evicted.section == path.section && evicted.row - (isBehind ? 1 : 0) < path.row
    }
    return IndexPath(section: path.section, row: path.row - count)
  }

  var result: (step: UndoStep?, evicted: UndoStep?) {
    var rest = storage
    let runs = rest.takeOut(evictedRows)
    let step = UndoStep(operations: operations)
    return (
      step.hasEffect(from: present, to: rest) ? step : nil,
      runs.isEmpty ? nil : UndoStep(operations: runs.map { .put($0.entries, at: $0.path) })
    )
  }
}
