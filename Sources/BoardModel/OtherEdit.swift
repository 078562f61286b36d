/// A part of an edit that was made on another copy of the board and is repeated on this board.
///
/// Each index refers to the board after all earlier parts of the edit.
public enum OtherEdit: Hashable, Sendable {
  /// Insert a new row; it is at the path afterwards.
  case insert(RowID, flags: RowFlags, at: IndexPath)

  /// Delete the row.
  case delete(RowID)

  /// Move the row; the destination is a path of the board without it.
  case move(RowID, to: IndexPath)

  /// Set the flags in `changing` to their values in `flags`.
  case setFlags(RowFlags, changing: RowFlags, of: RowID)

  /// Note that the content of the row has changed.
  case reload(RowID)

  /// Insert a section without rows.
  case insertSection(String, at: Int)

  /// Delete a section without rows.
  case deleteSection(at: Int)

  /// Move a section with its rows; the destination is its index after the move.
  case moveSection(from: Int, to: Int)

  /// Rename a section.
  case renameSection(to: String, at: Int)
}

/// The refusal of a part of an edit of others.
public struct OtherEditError: Error, Hashable, Sendable {
  /// The index of the part.
  public let index: Int

  /// The reason.
  public let error: BoardError
}
