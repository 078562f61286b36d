/// One step of an edit; each index is that of the board as the steps before it left it.
public enum BoardChange: Hashable, Sendable {
  /// A new row, at a position.
  case insert(ItemID, at: RowPosition)
  /// A row that was at a position is gone.
  case delete(ItemID, at: RowPosition)
  /// The row is taken out at one place and put in at the other, a place of the board without it.
  case move(ItemID, from: RowPosition, to: RowPosition)
  /// The content or the permissions of a row have changed.
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
  /// The changes in order.
  public let changes: [BoardChange]
}
