/// One step of an edit; each index is that of the board as the steps before it left it.
public enum BoardChange: Hashable, Sendable {
  /// The row is new, and stands there.
  case insert(ItemID, at: RowPosition)
  /// The row, which stood there, is gone.
  case delete(ItemID, at: RowPosition)
  /// The row is taken out at one place and put in at the other, a place of the board without it.
  case move(ItemID, from: RowPosition, to: RowPosition)
  /// What the row holds, or may be done to it, has changed.
  case reload(ItemID, at: RowPosition)
  /// A section of that name is new, without rows.
  case insertSection(String, at: Int)
  /// The section of that name is gone; it had no rows left.
  case deleteSection(String, at: Int)
  /// The section of that name is taken out at one index, with its rows, and put in at the other.
  case moveSection(String, from: Int, to: Int)
  /// The section at that index has a new name.
  case renameSection(to: String, at: Int)
}

/// All that happened to a board between two revisions.
public struct BoardChanges: Hashable, Sendable {
  /// The revision that the board is at after them.
  public let revision: UInt64
  /// What happened, step by step.
  public let changes: [BoardChange]
}
