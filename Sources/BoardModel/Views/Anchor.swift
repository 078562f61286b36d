/// A row that a selection comes back to, and the place that it has, or had when it went.
struct Anchor: Hashable, Sendable {
  /// The row, whether or not it is still there.
  let row: RowID

  private var place: FollowedPlace

  /// Anchors to a row that stands there.
  init(_ row: RowID, at path: IndexPath) {
    self.row = row
    place = .row(path)
  }

  /// Goes where the revision takes it; `board` is the board after it.
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

  /// The row, if it is there; else the one that now stands in its place or, where none does, the
  /// nearest one.
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
  /// The first row of the first section from `next` on that has rows, else the last row of the last
  /// one before `section` that has.
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
