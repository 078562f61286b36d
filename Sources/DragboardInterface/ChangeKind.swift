/// The kind of a change of a board on the wire.
///
/// A change is one step of an edit. Its indexes are those of the board after the steps before it.
public enum ChangeKind: String, Hashable, Sendable {
  /// A new row, at `to`.
  case insert
  /// A row that was at `from` is gone.
  case delete
  /// A row is removed at `from` and inserted at `to`, an index of the board without it.
  case move
  /// The row has another content or other permissions; `from` and `to` are its place.
  case reload
  /// A new section, without rows, at `to`.
  case insertSection = "insert-section"
  /// A section without rows that was at `from` is gone.
  case deleteSection = "delete-section"
  /// A section is removed at `from`, with its rows, and inserted at `to`.
  case moveSection = "move-section"
  /// The section at `from` has a new name.
  case renameSection = "rename-section"
  /// Too many changes to list: the board has to be read again. No other change stands beside it.
  case reset
}
