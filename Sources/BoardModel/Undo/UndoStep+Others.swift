extension UndoStep {
  /// The number of operations that undo edits of others, at the start of a step, from which fewer
  /// operations with the same result may replace them.
  public static let maxOthers = 4_096

  /// Whether edits of others were made after the edit that this step undoes.
  public var hasOthers: Bool { !others.isEmpty }

  /// The operations that undo the edits of others.
  private var others: [Operation] {
    for operation in operations {
      switch operation {
      case .put: continue
      case .others(let others): return others
      default: return []
      }
    }
    return []
  }

  /// Returns a step that first undoes an edit of others; nil if it has more than `max` operations for
  /// this.
  public func preceded(byOthers step: UndoStep, max: Int = maxOthers) -> UndoStep? {
    var others = step.operationsOnRows
    guard !others.isEmpty else { return self }
    var rest = operations[...]
    while let operation = rest.first {
      // These operations put back rows that were evicted before the edit of others. So they come
      // after the reversal of the edit.
      if case .put = operation { others.append(operation) } else { break }
      rest.removeFirst()
    }
    if case .others(let earlier) = rest.first {
      others += earlier
      rest.removeFirst()
    }
    others = Self.joined(others)
    guard others.count <= max else { return nil }
    return UndoStep(operations: [.others(others)] + rest)
  }

  /// Returns a step that first undoes an edit of others, with the few operations that have the same
  /// result as the operations of all edits of others since the step.
  ///
  /// - Parameters:
  ///   - reversal: undoes the edit of others.
  ///   - later: the steps of later edits, the latest first; nil for a step that cannot be read.
  ///   - board: the present board.
  /// - Returns: the step; nil if the sections have changed, or if a step does not fit.
  /// - Complexity: O(rows of the board + size of the steps).
  func preceded(
    bySummaryOf reversal: UndoStep, after later: some Sequence<UndoStep?>, on board: Board
  ) -> UndoStep? {
    var storage = board.storage
    for step in later {
      guard let step, storage.perform(step.operationsOnRows) else { return nil }
    }
    let present = storage
    let rest = operations.drop { $0.isOfOthers }
    let prefix = UndoStep(operations: operations.prefix { $0.isOfOthers }).operationsOnRows
    guard storage.perform(reversal.operationsOnRows), storage.perform(prefix),
      let others = present.operations(to: storage)
    else { return nil }
    return UndoStep(operations: (others.isEmpty ? [] : [.others(others)]) + rest)
  }

  /// Whether the positions in an earlier step depend on the step.
  var concernsPositions: Bool { !operationsOnRows.isEmpty }

  /// The operations of the step and of the edits of others before it, without those that concern no
  /// positions.
  private var operationsOnRows: [Operation] {
    operations.flatMap { (operation) -> [Operation] in
      switch operation {
      case .others(let operations): operations
      case .exchangeContent, .changeRetention: []
      default: [operation]
      }
    }
  }

  /// Joins the deletions of adjacent rows.
  private static func joined(_ operations: [Operation]) -> [Operation] {
    var joined: [Operation] = []
    for operation in operations {
      if case .delete(let count, let path) = operation,
        case .delete(let later, let end)? = joined.last,
        end == IndexPath(section: path.section, row: path.row + count)
      {
        joined[joined.count - 1] = .delete(count + later, at: path)
      } else {
        joined.append(operation)
      }
    }
    return joined
  }
}

extension UndoStep.Operation {
  /// Whether the operation, at the start of a step, undoes evictions or edits of others.
  fileprivate var isOfOthers: Bool {
    switch self {
    case .put, .others: true
    default: false
    }
  }
}

extension RowStorage {
  /// Performs operations; returns false if one of them does not fit.
  fileprivate mutating func perform(_ operations: [UndoStep.Operation]) -> Bool {
    var record = UndoRecord()
    let step = UndoStep(operations: operations)
    return (try? StepReplay(of: step, on: &self, recording: &record)) != nil
  }
}
