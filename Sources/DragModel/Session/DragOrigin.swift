public import BoardModel

/// Where a drag of rows comes from.
public struct DragOrigin: Hashable, Sendable {
  /// The board that the rows stood on when the drag began.
  public let board: BoardKey
  /// The rows, in the order of the drag; at least one.
  public let rows: [RowID]

  /// Describes the origin of a drag; nil where there are no rows.
  public init?(board: BoardKey, rows: [RowID]) {
    guard !rows.isEmpty else { return nil }
    self.board = board
    self.rows = rows
  }
}
