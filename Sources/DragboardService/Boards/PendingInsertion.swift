import BoardModel

/// The position of rows that have not arrived yet.
///
/// Other edits of the board adjust the position.
final class PendingInsertion {
  /// The position of the first row.
  var path: IndexPath { point.path }
  /// Called when an edit has moved the position.
  var onMove: ((Step) -> Void)?
  /// Called when the board has been deleted.
  var onBoardDeleted: ((Step) -> Void)?

  private var point: InsertionPoint

  init(at path: IndexPath) { point = InsertionPoint(at: path) }

  /// Adjusts the position to an edit.
  func follow(_ revision: Revision, on board: Board, in step: Step) {
    let earlier = point
    point.follow(revision, on: board)
    guard point != earlier else { return }
    step.onRollback { [self] in point = earlier }
    onMove?(step)
  }
}
