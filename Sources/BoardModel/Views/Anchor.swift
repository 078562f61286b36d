/// The row that a reselection selects, and its position, or its last position if it was deleted.
struct Anchor: Hashable, Sendable {
  /// The row, which may have been deleted.
  let row: RowID

  private var place: FollowedPosition

  /// Creates the anchor at a row and its path.
  init(_ row: RowID, at path: IndexPath) {
    self.row = row
    place = .row(path)
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

  /// Returns the row if it exists; otherwise the row that is now at its position or, if there is
  /// none, the nearest row.
  func nearest(on board: Board) -> RowID? {
    if board.contains(row) { return row }
    switch place {
    case .row(let path):
      return board.row(at: path) ?? board.lastRow(ofSection: path.section)
        ?? board.nearest(from: path.section + 1, orBefore: path.section)
    case .gap(let section):
      return board.nearest(from: section, orBefore: section)
    }
  }
}

extension Board {
  /// Returns the first row of the first section from `next` on that has rows; otherwise the last
  /// row of the last section before `section` that has rows.
  fileprivate func nearest(from next: Int, orBefore section: Int) -> RowID? {
    let after = (next..<max(sectionCount, next)).lazy.compactMap { index in
      self.row(at: IndexPath(section: index, row: 0))
    }
    return after.first ?? (0..<section).reversed().lazy.compactMap(lastRow(ofSection:)).first
  }

  fileprivate func lastRow(ofSection section: Int) -> RowID? {
    let count = rowCount(inSection: section) ?? 0
    return row(at: IndexPath(section: section, row: count - 1))
  }
}
