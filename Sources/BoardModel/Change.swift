/// One step of an edit, as it is told to whoever keeps a copy of the board.
///
/// The steps of a revision are applied one after the other: each index is that of the board as the
/// steps before it left it.
public enum Change: Hashable, Sendable {
  /// The row is new, and stands at that place.
  case insert(RowID, at: IndexPath)

  /// The row, which stood at that place, is gone.
  case delete(RowID, at: IndexPath)

  /// The row is taken out at one place and put in at the other, an index of the board without the
  /// row.
  case move(RowID, from: IndexPath, to: IndexPath)

  /// What the row holds, or may be done to it, has changed; it stands at that place as before.
  case reload(RowID, at: IndexPath)

  /// A section of that name is new, without rows.
  case insertSection(String, at: Int)

  /// The section of that name is gone; it had no rows left.
  case deleteSection(String, at: Int)

  /// The section of that name is taken out at one index, with its rows, and put in at the other.
  case moveSection(String, from: Int, to: Int)

  /// The section at that index has a new name.
  case renameSection(to: String, at: Int)

  /// Too much has changed to tell: the board is to be read again.
  ///
  /// Stands alone in its revision.
  case reset
}
