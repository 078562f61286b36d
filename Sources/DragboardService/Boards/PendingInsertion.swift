import BoardModel

/// A place on a board that is kept, through the edits of others, for rows that are not there yet.
final class PendingInsertion {
  /// Where the first of the rows will stand.
  var path: IndexPath { point.path }
  /// Called when others' edits have moved the place.
  var onMove: (() -> Void)?
  /// Called when the board has been deleted.
  var onBoardGone: (() -> Void)?

  private var point: InsertionPoint

  init(at path: IndexPath) { point = InsertionPoint(at: path) }

  /// Follows an edit; what takes that back where the edit cannot be stored comes back.
  func follow(_ revision: Revision, on board: Board) -> (() -> Void)? {
    let earlier = point
    point.follow(revision, on: board)
    guard point != earlier else { return nil }
    onMove?()
    return { [self] in
      point = earlier
      onMove?()
    }
  }
}
