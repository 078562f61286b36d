extension UndoStep {
  /// The maximum number of operations that undo edits of others, at the start of a step.
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

  /// Returns a step that first undoes an edit of others; nil if it has too many operations then.
  public func preceded(byOthers step: UndoStep) -> UndoStep? {
    var others = step.operations
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
    guard others.count <= Self.maxOthers else { return nil }
    return UndoStep(operations: [.others(others)] + rest)
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
