/// The row that a reselection selects, and its position; if the row was deleted, its last position.
struct Anchor: Hashable, Sendable {
  /// The row, which may have been deleted.
  let row: RowID

  private var place: FollowedPosition

  /// Creates the anchor at a row and its path.
  init(_ row: RowID, at path: IndexPath) {
    self.row = row
    place = .row(path)
  }

  /// Creates the anchor at a row; nil if it is not on the board.
  init?(_ row: RowID, on board: Board) {
    guard let path = board.indexPath(of: row) else { return nil }
    self.init(row, at: path)
  }

  /// Creates the anchor at the first row of a board that is in a set; nil if there is none.
  init?(atFirstOf rows: RowSet, on board: Board) {
    for section in 0..<board.sectionCount {
      var start = 0
      for run in board.storage.runs(ofSection: section) {
        if let offset = run.firstIndex(where: { rows.contains($0.row) }) {
          self.init(run[offset].row, at: IndexPath(section: section, row: start + offset))
          return
        }
        start += run.count
      }
    }
    return nil
  }

  /// Adjusts the position to a revision; `board` is the board after it.
  ///
  /// O(changes).
  mutating func follow(_ revision: Revision, on board: Board) {
    for change in revision.changes {
      switch change {
      case .insert(row, let path), .move(row, _, let path): place = .row(path)
      case .reset: if let path = board.indexPath(of: row) { place = .row(path) }
      default: place.follow(change)
      }
    }
    place.clamp(to: board)
  }

  /// Returns the row if it exists.
  ///
  /// Otherwise returns the row that is now at its position, or the nearest row if no row is there.
  func nearest(on board: Board) -> RowID? {
    if board.contains(row) { return row }
    switch place {
    case .row(let path):
      return board.row(at: path) ?? Self.lastRow(ofSection: path.section, on: board)
        ?? Self.nearest(from: path.section + 1, orBefore: path.section, on: board)
    case .gap(let section):
      return Self.nearest(from: section, orBefore: section, on: board)
    }
  }

  /// Searches the sections from `next` on for the first row.
  ///
  /// If they have no rows, searches the sections before `section` for the last row.
  private static func nearest(
    from next: Int, orBefore section: Int, on board: Board
  ) -> RowID? {
    let after = (next..<max(board.sectionCount, next)).lazy.compactMap { index in
      board.row(at: IndexPath(section: index, row: 0))
    }
    return after.first
      ?? (0..<section).reversed().lazy.compactMap { lastRow(ofSection: $0, on: board) }.first
  }

  private static func lastRow(ofSection section: Int, on board: Board) -> RowID? {
    let count = board.rowCount(inSection: section) ?? 0
    return board.row(at: IndexPath(section: section, row: count - 1))
  }
}
