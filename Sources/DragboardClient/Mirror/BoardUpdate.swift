/// An update of a mirror, with the board after it.
public enum BoardUpdate: Hashable, Sendable {
  /// The whole board, at the beginning or after unknown changes.
  case snapshot(BoardSnapshot)
  /// The changes, and the board after them.
  ///
  /// After a restart of the daemon, the changes are empty if the board is unchanged.
  case changes([BoardChange], BoardSnapshot)
  /// The daemon left the bus.
  ///
  /// When it is back, the mirror continues with the changes in between.
  case lost(BoardSnapshot)

  /// The board after the update.
  public var board: BoardSnapshot {
    switch self {
    case .snapshot(let board), .changes(_, let board), .lost(let board): board
    }
  }
}
