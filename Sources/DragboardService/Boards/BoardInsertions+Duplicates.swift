import BoardModel
import DBus
import DragboardInterface
import DragboardStore

extension BoardInsertions {
  /// Moves the row that has this content already, if the board moves duplicates.
  ///
  /// The row of a sandboxed client, or of the clipboard, must have the source of the new content. The
  /// user does not get a row of a sandbox. Otherwise a client would have more rights on the row than on
  /// a new one, and the row would use another share.
  ///
  /// - Returns: the row; nil if there is none. A row that is not movable stays in its position.
  func moveDuplicate(
    of content: RowContent, to path: IndexPath, on board: BoardEntity, by inserter: Inserter,
    in step: Step
  ) throws(DBusError) -> RowID? {
    guard board.header.movesDuplicates, let digest = content.digest else { return nil }
    let isFromClipboard = content.origin.source == ClipboardInterface.rowSource
    let source = inserter.source ?? (isFromClipboard ? content.origin.source : nil)
    var duplicate: RowID?
    do throws(StoreError) {
      for row in try step.store.rows(withDigest: digest)
      where duplicate == nil && board.board.contains(row) {
        guard let origin = try step.store.summary(of: row)?.origin else { continue }
        let isAllowed = inserter.source != nil || origin.sandbox == nil
        if isAllowed, source == nil || source == origin.source { duplicate = row }
      }
    } catch { throw error.answer }
    guard let row = duplicate, let position = board.indexPath(of: row) else { return nil }
    try renew(row, on: board, in: step)
    guard board.isMovable(row) else { return row }
    let isBefore = position.section == path.section && position.row < path.row
    try board.edit(in: step, by: inserter.sandboxOfRows) { model throws(BoardError) in
      try model.move(
        from: position,
        to: IndexPath(section: path.section, row: path.row - (isBefore ? 1 : 0)))
    }
    return row
  }

  /// Gives a row the age of a new row, so that the board retains it as long as a new row.
  private func renew(
    _ row: RowID, on board: BoardEntity, in step: Step
  ) throws(DBusError) {
    let number = try step.write { repository throws(StoreError) in
      let number = try repository.reserveRows(1)[0]
      try repository.setAge(of: row, created: now(), renewal: number.rawValue)
      return number
    }
    step.onRollback { board.retention = BoardRetention() }
    board.retention.renew(row, as: number)
  }
}

extension IncomingRow {
  /// Returns the content of the row if it can be stored without waiting.
  ///
  /// If the board moves duplicates, the content has its digest, which takes at most a millisecond
  /// to compute.
  func ready(digesting: Bool) -> RowContent? {
    guard digesting else { return ready }
    return byteCount <= Payload.inlineLimit ? ready?.digestedIfSmall : nil
  }
}
