/// The kind of a board's change on the wire.
///
/// An edit consists of changes in order. The indexes of a change refer to the board after the
/// changes before it.
public enum ChangeKind: String, Hashable, Sendable {
  /// A row was inserted at `to`.
  case insert
  /// The row at `from` was deleted.
  case delete
  /// The row at `from` was moved to `to`. The index `to` refers to the board without the row.
  case move
  /// The content or the permissions of a row have changed. Both `from` and `to` are its index path.
  case reload
  /// An empty section was inserted at `to`.
  case insertSection = "insert-section"
  /// The empty section at `from` was deleted.
  case deleteSection = "delete-section"
  /// The section at `from` was moved with its rows to `to`. The index `to` refers to the board
  /// without the section.
  case moveSection = "move-section"
  /// The section at `from` has a new name.
  case renameSection = "rename-section"
  /// There were too many changes to list, so clients must read the board again.
  ///
  /// This is the only change in its list.
  case reset
}
