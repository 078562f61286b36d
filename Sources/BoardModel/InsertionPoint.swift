/// A place on a board where rows are to be inserted later, kept through the edits that others make
/// meanwhile.
///
/// What they insert just there stands before it. What they delete or insert further up in the
/// section shifts it; a move counts as both. Where its section goes, it becomes the end of the last
/// section that the board then has, and keeps to that place from then on.
public struct InsertionPoint: Hashable, Sendable {
  /// Where the first of the rows would stand now: the row is 0 to the number of rows of the section.
  public private(set) var path: IndexPath

  /// Marks a place that the board has: the row is 0 to the number of rows of the section.
  public init(at path: IndexPath) { self.path = path }

  /// Goes where the revision takes it; `board` is the board after it.
  ///
  /// A reset tells nothing: the place keeps its indexes, as far as the board goes. O(changes).
  public mutating func follow(_ revision: Revision, on board: Board) {
    var place = FollowedPlace.row(path)
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
