import BoardModel
import DBus
import DragboardStore

extension BoardInsertions {
  /// Moves the row that has a content already, if the board moves duplicates.
  ///
  /// - Returns: the row, which stays in its position if it is not movable; nil if there is none.
  func moveDuplicate(
    of content: RowContent, to path: IndexPath, on board: BoardEntity, by sandbox: String?,
    in step: Step
  ) throws(DBusError) -> RowID? {
    guard board.header.movesDuplicates, let digest = content.digest else { return nil }
    var duplicate: RowID?
    do throws(StoreError) {
      for row in try step.store.rows(withDigest: digest)
      where duplicate == nil && board.board.contains(row) {
        guard let sandbox else {
          duplicate = row
          continue
        }
        if try step.store.summary(of: row)?.source == sandbox { duplicate = row }
      }
    } catch { throw error.answer }
    guard let row = duplicate, let source = board.indexPath(of: row) else { return nil }
    guard board.isMovable(row) else { return row }
    let isBefore = source.section == path.section && source.row < path.row
    try board.edit(in: step) { model throws(BoardError) in
      try model.move(
        from: source,
        to: IndexPath(section: path.section, row: path.row - (isBefore ? 1 : 0)))
    }
    return row
  }
}

extension IncomingRow {
  /// The content of the row, if it can be stored without waiting; with its digest if the board
  /// compares contents, which takes a millisecond at most.
  func ready(on board: BoardEntity) -> RowContent? {
    guard board.header.movesDuplicates else { return ready }
    return byteCount <= Payload.inlineLimit ? ready?.digestedIfSmall : nil
  }
}
