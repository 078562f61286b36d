/// The keys of the tables `log` and `step`.
///
/// A key contains the board, and a number within the board.
package enum HistoryKey {
  private static let bits: Int64 = 40

  package static func of(_ number: UInt64, on board: BoardNumber) -> Int64 {
    board.rawValue << bits | Int64(truncatingIfNeeded: number)
  }

  /// Returns the lowest and the highest key of the board.
  package static func range(of board: BoardNumber) -> (Int64, Int64) {
    (of(0, on: board), of(1 << UInt64(bits) - 1, on: board))
  }

  package static func board(_ key: Int64) -> BoardNumber { BoardNumber(key >> bits) }

  package static func number(_ key: Int64) -> UInt64 { UInt64(key & (1 << bits - 1)) }
}
