/// The operations that undo or redo an edit of a board.
///
/// A step fits the state of the board directly after the edit. A row to insert takes eight bytes, a
/// run of rows to delete takes two numbers. The step does not contain the contents of rows.
public struct UndoStep: Hashable, Sendable {
  /// An operation; each index refers to the board after the operations before it.
  enum Operation: Hashable, Sendable {
    /// Insert deleted rows; the first is at the path afterwards.
    case insert([RowEntry], at: IndexPath)

    /// Delete this number of rows, the first at the path.
    case delete(Int, at: IndexPath)

    /// Insert rows that were lifted before.
    case put([RowEntry], at: IndexPath)

    /// Remove this number of rows, to insert them elsewhere.
    case lift(Int, at: IndexPath)

    /// Move a row; the destination is a path of the board without the row.
    case move(from: IndexPath, to: IndexPath)

    /// Set the flags of the row.
    case setFlags(RowFlags, of: RowID)

    /// Exchange the content of the row for its other content.
    case exchangeContent(of: RowID)

    /// Insert a section without rows.
    case insertSection(String, at: Int)

    /// Delete an empty section.
    case deleteSection(at: Int)

    /// Move a section with its rows; the destination is an index without the section.
    case moveSection(from: Int, to: Int)

    /// Rename the section at this index.
    case renameSection(to: String, at: Int)

    /// Change the retention of the board, which is not part of the model.
    case changeRetention(RetentionChange)

    /// Undo edits of others, to determine the positions of the later operations.
    ///
    /// This operation is only at the start of a step, after the operations that put back evicted
    /// rows. It is never performed on a board.
    case others([Operation])
  }

  /// The operations, to be performed in order.
  let operations: [Operation]

  /// The rows that the step inserts and that are not on the board now.
  ///
  /// Their contents must be stored as long as the step. Each row occurs in only one step of a
  /// history. O(size).
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

  /// The change of the board's retention that the step makes; nil if it makes none.
  public var retentionChange: RetentionChange? {
    for case .changeRetention(let change) in operations { return change }
    return nil
  }
}
