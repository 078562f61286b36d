/// An update of a mirror, with the board after it.
public enum BoardUpdate: Hashable, Sendable {
  /// The whole board: at the beginning, and when the changes are unknown.
  case snapshot(BoardSnapshot)
  /// The changes, and the board after them. They are empty if the daemon has restarted and nothing
  /// has changed.
  case changes([BoardChange], BoardSnapshot)
  /// The daemon left the bus. The mirror waits for it, and then continues with the changes in
  /// between.
  case lost(BoardSnapshot)

  /// The board as it is, as far as is known.
  public var board: BoardSnapshot {
    switch self {
    case .snapshot(let board), .changes(_, let board), .lost(let board): board
    }
  }
}
