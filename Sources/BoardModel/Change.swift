/// One change of a revision, as it is reported to clients that mirror the board.
///
/// The changes of a revision are applied in order: each index refers to the board after the changes
/// before it.
public enum Change: Hashable, Sendable {
  /// The row was inserted at this path.
  case insert(RowID, at: IndexPath)

  /// The row was deleted from this path.
  case delete(RowID, at: IndexPath)

  /// The row was moved; the destination is a path of the board without the row.
  case move(RowID, from: IndexPath, to: IndexPath)

  /// The content or the flags of the row at this path have changed.
  case reload(RowID, at: IndexPath)

  /// A section with this name and without rows was inserted.
  case insertSection(String, at: Int)

  /// The section with this name was deleted; it had no rows left.
  case deleteSection(String, at: Int)

  /// The section with this name was moved with its rows; the destination is an index of the board
  /// without the section.
  case moveSection(String, from: Int, to: Int)

  /// The section at this index was renamed.
  case renameSection(to: String, at: Int)

  /// There are too many changes to report: the board must be read again.
  ///
  /// It is the only change of its revision.
  case reset
}
