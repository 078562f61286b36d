import BoardModel
import DragModel

/// A board with the permissions of a sandboxed caller that drops on it.
///
/// Rows of other sources are not movable.
struct AccessedBoard: DropDestination {
  private let board: any DropDestination
  private let stored: StoredRows

  /// The number of rows that the caller may still insert.
  private let room: Int

  init(_ board: any DropDestination, _ stored: StoredRows, room: Int) {
    (self.board, self.stored, self.room) = (board, stored, room)
  }

  var key: BoardKey { board.key }
  var movesMultipleRows: Bool { board.movesMultipleRows }
  var acceptedTypes: [TypeQuery] { board.acceptedTypes }
  var rowCount: Int { board.rowCount }
  var maxRows: Int { min(board.maxRows, rowCount + room) }
  var sectionCount: Int { board.sectionCount }
  func rowCount(inSection section: Int) -> Int { board.rowCount(inSection: section) }
  func indexPath(of row: RowID) -> IndexPath? { board.indexPath(of: row) }
  func isMovable(_ row: RowID) -> Bool { stored.mayChange(row) && board.isMovable(row) }
}
