import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// The methods of `org.dragboard.Dragboard1.Board` for past changes, undo and redo.
struct BoardUndo {
  let words: WordIndex
  /// Called before the contents of rows change.
  let willChange: RowsWillChange

  func getChanges(
    _ board: BoardEntity, _: Command, _ since: UInt64
  ) throws(DBusError) -> (UInt64, [BoardInterface.Change]) {
    let revision = board.board.revision
    guard since <= revision else {
      throw DBusError(
        .invalidArgs, "since: \(since) is out of range (at most the revision, \(revision))")
    }
    do throws(StoreError) {
      if let changes = try board.history.changes(since: since) {
        return (revision, changes.map { $0.wire(board.ids) })
      }
    } catch { throw error.answer }
    throw DBusError(
      .staleRevision,
      "since: the changes since revision \(since) are no longer available or too many (use GetSnapshot)"
    )
  }

  func undo(_ board: BoardEntity, _ command: Command) throws(DBusError) -> UInt64 {
    try command.access.checkGoverns()
    while let undo = try nextUndo(of: board) {
      guard let (fitting, evicted) = translate(undo, for: board, in: command.step) else { continue }
      return try apply(fitting, to: board, in: command.step) { history, revision, step, kept in
        history.recordUndo(revision, step, keeping: kept)
        if let evicted { history.precedeUndo(by: evicted) }
        if fitting.kept.count < undo.kept.count {
          history.discard(Array(Set(undo.kept).subtracting(fitting.kept)))
        }
      }
    }
    throw DBusError(.nothingToUndo, "this board has no edit to undo")
  }

  private func nextUndo(of board: BoardEntity) throws(DBusError) -> BoardHistory.Step? {
    do throws(StoreError) { return try board.history.stepToUndo() } catch { throw error.answer }
  }

  /// Removes evicted rows from the next step to undo.
  ///
  /// - Returns: the step without evicted rows, and the step that restores these rows. If no
  ///   operation is left, the step is forgotten, and the result is nil.
  private func translate(
    _ undo: BoardHistory.Step, for board: BoardEntity, in step: Step
  ) -> (BoardHistory.Step, evicted: UndoStep?)? {
    guard undo.step.evictedCount > 0 else { return (undo, nil) }
    guard let (fitting, evicted) = try? board.board.withoutEvictedRows(undo.step) else {
      board.forgetUndo(all: true, in: step)
      return nil
    }
    guard let fitting else {
      board.forgetUndo(evicted: evicted, in: step)
      return nil
    }
    let rows = Set(fitting.rowsWithOtherContent)
    let kept = zip(undo.step.rowsWithOtherContent, undo.kept).filter { rows.contains($0.0) }
    return (BoardHistory.Step(fitting, keeping: kept.map(\.1)), evicted)
  }

  func redo(_ board: BoardEntity, _ command: Command) throws(DBusError) -> UInt64 {
    try command.access.checkGoverns()
    let redo: BoardHistory.Step?
    do throws(StoreError) { redo = try board.history.stepToRedo() } catch {
      throw error.answer
    }
    guard let redo else {
      throw DBusError(.nothingToRedo, "this board has no undone edit to redo")
    }
    return try apply(redo, to: board, in: command.step) { history, revision, step, kept in
      history.recordRedo(revision, step, keeping: kept)
    }
  }

  private func apply(
    _ undo: BoardHistory.Step, to board: BoardEntity, in step: Step,
    record: (inout BoardHistory, Revision, UndoStep, [RowID]) -> Void
  ) throws(DBusError) -> UInt64 {
    step.edit(board)
    return try step.write { repository throws(StoreError) in
      let kept = try exchangeContents(undo, in: repository)
      do throws(HistoryDamage) {
        return try board.apply(undo.step, in: step) { history, revision, opposite in
          record(&history, revision, opposite, kept)
        }
      } catch { throw StoreError.unreadable("a step of the board's history is damaged: \(error)") }
    }
  }

  /// Replaces the contents of the step's rows by the contents that were retained for the step.
  ///
  /// - Returns: the rows that retain the replaced contents, in the order of the opposite step, which
  ///   performs its operations in reverse.
  private func exchangeContents(
    _ undo: BoardHistory.Step, in repository: any BoardRepository
  ) throws(StoreError) -> [RowID] {
    var kept: [RowID] = []
    for (row, former) in zip(undo.step.rowsWithOtherContent, undo.kept) {
      try willChange([row])
      kept += try repository.keepContent(of: row)
      try repository.moveItem(from: former, to: row)
    }
    if !kept.isEmpty { words.noteRows() }
    return kept.reversed()
  }
}
