/// What a mirror of a board has to tell; each bears the board as it is then.
public enum BoardUpdate: Hashable, Sendable {
  /// The board was read whole: at the beginning, and whenever what happened could not be told.
  case snapshot(BoardSnapshot)
  /// Edits, one after the other, and what they made of the board; without any where the daemon has come back and nothing has happened.
  case changes([BoardChange], BoardSnapshot)
  /// The daemon has left the bus; the mirror waits for it, and then tells what has happened meanwhile.
  case lost(BoardSnapshot)

  /// The board as it is, as far as is known.
  public var board: BoardSnapshot {
    switch self {
    case .snapshot(let board), .changes(_, let board), .lost(let board): board
    }
  }
}
