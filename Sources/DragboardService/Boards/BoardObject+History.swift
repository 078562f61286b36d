import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// The methods of `org.dragboard.Dragboard1.Board` for what has changed, and for undo.
extension BoardObject {
  func getChanges(_ since: UInt64) throws(DBusError) -> (UInt64, [BoardInterface.Change]) {
    guard since <= board.revision else {
      throw DBusError(
        .invalidArgs, "since is \(since); the board is at revision \(board.revision)")
    }
    do throws(StoreError) {
      if let changes = try history.changes(since: since) {
        return (board.revision, changes.map(wireChange))
      }
    } catch { throw error.answer }
    throw DBusError(
      .staleRevision,
      "since: what happened since revision \(since) is too long ago or too much; GetSnapshot gives the board as it is"
    )
  }

  // MARK: Undo

  func undo(_ access: BoardAccess) throws(DBusError) -> UInt64 {
    try access.checkGoverns()
    let step: BoardHistory.Step?
    do throws(StoreError) { step = try history.stepToUndo() } catch { throw error.answer }
    guard let step else {
      throw DBusError(.nothingToUndo, "no edit of this board is left to take back")
    }
    return try apply(step) { history, revision, step, kept in
      history.recordUndo(revision, step, keeping: kept)
    }
  }

  func redo(_ access: BoardAccess) throws(DBusError) -> UInt64 {
    try access.checkGoverns()
    let step: BoardHistory.Step?
    do throws(StoreError) { step = try history.stepToRedo() } catch { throw error.answer }
    guard let step else {
      throw DBusError(.nothingToRedo, "no edit of this board has been taken back last")
    }
    return try apply(step) { history, revision, step, kept in
      history.recordRedo(revision, step, keeping: kept)
    }
  }

  private func apply(
    _ step: BoardHistory.Step,
    record: (inout BoardHistory, Revision, UndoStep, [RowID]) -> Void
  ) throws(DBusError) -> UInt64 {
    service.batch.enlist(self)
    let kept = try service.batch.write { () throws(StoreError) in
      try exchangeContents(step)
    }
    return try service.batch.write { () throws(StoreError) in
      do throws(HistoryDamage) {
        return try take(step.step) { history, revision, opposite in
          record(&history, revision, opposite, kept)
        }
      } catch { throw StoreError.unreadable("a step of the board's history is damaged: \(error)") }
    }
  }

  /// Has rows of the step hold what they held, and other rows what they hold now.
  private func exchangeContents(_ step: BoardHistory.Step) throws(StoreError) -> [RowID] {
    var kept: [RowID] = []
    for (row, former) in zip(step.step.rowsWithOtherContent, step.kept) {
      try service.sessions.preserveContents(of: [row])
      kept += try keepContent(of: row)
      try service.repository.moveItem(from: former, to: row)
    }
    return kept
  }

  /// Has a new row, which no board has, hold what a row holds, which then holds nothing.
  func keepContent(of row: RowID) throws(StoreError) -> [RowID] {
    let kept = try service.repository.reserveRows(1)
    for keeper in kept { try service.repository.moveItem(from: row, to: keeper) }
    service.words.noteRows()
    return kept
  }
}
