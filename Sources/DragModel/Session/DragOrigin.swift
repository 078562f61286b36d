public import BoardModel

/// The board and the rows that a drag of rows began with.
public struct DragOrigin: Hashable, Sendable {
  /// The board that contained the rows when the drag began.
  public let board: BoardKey
  /// The rows, in the order of the drag; at least one.
  public let rows: [RowID]

  /// Creates the origin of a drag; nil if there are no rows.
  public init?(board: BoardKey, rows: [RowID]) {
    guard !rows.isEmpty else { return nil }
    self.board = board
    self.rows = rows
  }
}
