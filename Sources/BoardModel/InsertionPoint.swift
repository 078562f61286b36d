/// The position of a later insertion, which the edits in the meantime adjust.
///
/// If others insert rows exactly at the position, the position comes after them. Insertions and
/// deletions before the position, in its section, shift it; a move counts as both. If the section
/// is deleted, the position becomes the end of the last section and stays there.
public struct InsertionPoint: Hashable, Sendable {
  /// The present path of the first row to insert; the index of the row is at most the number of
  /// rows of the section.
  public private(set) var path: IndexPath

  /// Creates the position at a path; the index of the row is at most the number of rows.
  public init(at path: IndexPath) { self.path = path }

  /// Adjusts the position to a revision; `board` is the board after it.
  ///
  /// A reset does not shift the position, but limits it to the board. O(changes).
  public mutating func follow(_ revision: Revision, on board: Board) {
    var place = FollowedPosition.row(path)
    for change in revision.changes { place.follow(change) }
    place.clamp(to: board)
    switch place {
    case .row(let path): self.path = path
    case .gap:
      let last = board.sectionCount - 1
      path = IndexPath(section: last, row: board.rowCount(inSection: last) ?? 0)
    }
  }
}
