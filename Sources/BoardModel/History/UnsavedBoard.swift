/// The changes of a board and its history since the last save.
package struct UnsavedBoard: Sendable {
  /// The present revision of the board.
  package let revision: UInt64
  /// The present number of rows of the board.
  package let rowCount: Int
  package let rows: UnsavedChanges
  package let history: UnsavedHistory

  /// Takes the changes of a board.
  package init(taking board: inout Board, _ history: UnsavedHistory = UnsavedHistory()) {
    (revision, rowCount) = (board.revision, board.count)
    (rows, self.history) = (board.takeUnsavedChanges(), history)
  }
}
