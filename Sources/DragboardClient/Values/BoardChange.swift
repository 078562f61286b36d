/// One step of an edit.
///
/// Its indexes refer to the board after all previous steps.
public enum BoardChange: Hashable, Sendable {
  /// A row was inserted at a position.
  case insert(ItemID, at: RowPosition)
  /// The row at a position was deleted.
  case delete(ItemID, at: RowPosition)
  /// A row was moved. `to` is its position on the board without the row.
  case move(ItemID, from: RowPosition, to: RowPosition)
  /// The content or the permissions of the row at a position have changed.
  case reload(ItemID, at: RowPosition)
  /// An empty section was inserted.
  case insertSection(String, at: Int)
  /// A section without rows was deleted.
  case deleteSection(String, at: Int)
  /// A section was moved with its rows. `to` is its index on the board without the section.
  case moveSection(String, from: Int, to: Int)
  /// The section at an index has a new name.
  case renameSection(to: String, at: Int)
}

/// The changes of a board between two revisions.
public struct BoardChanges: Hashable, Sendable {
  /// The board's revision after the changes.
  public let revision: UInt64
  /// The changes in order.
  public let changes: [BoardChange]
  /// The history of the revision; empty if it is not known.
  ///
  /// Only ``BoardHistory/changes(since:of:)`` returns it.
  public let history: String

  init(revision: UInt64, changes: [BoardChange], history: String = "") {
    (self.revision, self.changes, self.history) = (revision, changes, history)
  }
}
