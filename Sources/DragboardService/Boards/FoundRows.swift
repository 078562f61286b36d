import BoardModel

/// The first rows, in the order of a board, of the rows that a search finds in any order.
struct FoundRows {
  private let max: Int
  private var rows: [(path: IndexPath, row: RowID)] = []
  /// The position of the last row, if there are `max` rows.
  private var last: IndexPath?

  /// Creates an empty list of at most `max` rows.
  init(max: Int) { self.max = max }

  /// Inserts a row, unless there are enough rows before it.
  mutating func insert(_ row: RowID, at path: IndexPath) {
    if let last, path > last { return }
    rows.append((path, row))
    // The list is shortened rarely, so that an insertion is O(log max) on average.
    if rows.count >= 2 * max + 64 { shorten() }
  }

  private mutating func shorten() {
    rows.sort { $0.path < $1.path }
    rows.removeLast(Swift.max(0, rows.count - max))
    if rows.count == max { last = rows.last?.path }
  }

  /// Returns the rows in their present order on the board, which may have changed during the search.
  mutating func rows(on board: Board) -> [RowID] {
    rows = rows.compactMap { entry in board.indexPath(of: entry.row).map { ($0, entry.row) } }
    shorten()
    return rows.map(\.row)
  }
}
