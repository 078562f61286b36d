import BoardModel
import DragModel

/// A board as the drop of a sandboxed caller finds it: rows that others brought are not movable.
struct AccessedBoard: DropDestination {
  let board: BoardObject
  let access: BoardAccess

  var key: BoardKey { board.key }
  var movesMultipleRows: Bool { board.movesMultipleRows }
  var acceptedTypes: [TypeQuery] { board.acceptedTypes }
  var rowCount: Int { board.rowCount }
  var maxRows: Int { board.maxRows }
  var sectionCount: Int { board.sectionCount }
  func rowCount(inSection section: Int) -> Int { board.rowCount(inSection: section) }
  func indexPath(of row: RowID) -> IndexPath? { board.indexPath(of: row) }

  func isMovable(_ row: RowID) -> Bool {
    let mayChange = (try? board.checkMayChange([row], access)) != nil
    return mayChange && board.isMovable(row)
  }
}
