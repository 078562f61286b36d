/// The operations that undo an edit of a board, or redo it.
///
/// It fits the board as it stands right after the edit. A row that comes back is eight bytes, a run
/// of rows that go again is two numbers; what rows hold is not in it.
public struct UndoStep: Hashable, Sendable {
  /// A step of it; each index is that of the board as the operations before it left it.
  enum Operation: Hashable, Sendable {
    /// Rows come back, the first to that place.
    case insert([RowEntry], at: IndexPath)

    /// So many rows go, the first from that place.
    case delete(Int, at: IndexPath)

    /// Rows that were lifted before are put in again.
    case put([RowEntry], at: IndexPath)

    /// So many rows are taken out, to be put in elsewhere.
    case lift(Int, at: IndexPath)

    /// A row is taken out, then put in.
    case move(from: IndexPath, to: IndexPath)

    /// The row gets those gates.
    case setGates(RowGates, of: RowID)

    /// The row gets its other content.
    case exchangeContent(of: RowID)

    /// A section without rows comes back.
    case insertSection(String, at: Int)

    /// A section, which has no rows, goes.
    case deleteSection(at: Int)

    /// A section is taken out with its rows, then put in.
    case moveSection(from: Int, to: Int)

    /// The section at that index gets a name.
    case renameSection(to: String, at: Int)
  }

  /// The steps of it, to be done one after the other.
  let operations: [Operation]

  /// The rows that are not on the board and come to it by this step.
  ///
  /// Their contents have to be kept as long as the step. No other step of the same history has the
  /// same row. O(size).
  public var returningRows: [RowID] {
    operations.flatMap { operation in
      if case .insert(let entries, _) = operation { return entries.map(\.row) }
      return []
    }
  }

  /// The rows whose content the step exchanges.
  public var rowsWithOtherContent: [RowID] {
    operations.compactMap { operation in
      if case .exchangeContent(let row) = operation { return row }
      return nil
    }
  }
}
