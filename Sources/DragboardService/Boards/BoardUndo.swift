import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore
import Text

/// The methods of `org.dragboard.Dragboard1.Board` for past changes, undo and redo.
struct BoardUndo {
  let words: WordIndex
  let retention: Retention
  /// Called before the contents of rows change.
  let willChange: RowsWillChange

  /// The limit of the work of one Undo, in rows.
  ///
  /// Undo skips steps that have nothing to undo because of retention. Each of them costs O(rows), and
  /// other clients wait meanwhile. When the sum of these rows exceeds the limit, Undo forgets all
  /// earlier steps. The steps of sandboxes do not count, because they must not end the history of
  /// the user.
  private static let maxSkippedRows = 1_000_000

  func getChanges(
    _ board: BoardEntity, _ command: Command, _ since: UInt64
  ) throws(DBusError) -> (UInt64, [WireChange]) {
    let revision = board.board.revision
    guard since <= revision else {
      throw DBusError(
        .invalidArgs, "since: \(since) is out of range (at most the revision, \(revision))")
    }
    do throws(StoreError) {
      let changes = try board.history.changes(since: since, of: board.id, in: command.step.store)
      if let changes {
        return (revision, changes.map { $0.wire(board.ids) })
      }
    } catch { throw error.answer }
    throw DBusError(
      .staleRevision,
      "since: the changes since revision \(since) are no longer available or too many (use GetSnapshot)"
    )
  }

  func getHistory(
    _ board: BoardEntity, _ command: Command, _ since: UInt64, _ history: String
  ) throws(DBusError) -> (UInt64, String, [WireChange]) {
    let revision = board.board.revision
    func id(of revision: UInt64) throws(DBusError) -> String {
      do throws(StoreError) {
        return try board.historyID(of: revision, in: command.step.store)
          .map { Hexadecimal.digits(of: UInt64(bitPattern: $0)) } ?? ""
      } catch { throw error.answer }
    }
    if !history.isEmpty, since <= revision {
      let known = try id(of: since)
      guard history == known else {
        throw DBusError(
          .invalidArgs,
          "history: revision \(since) has the history \(known.quoted), not \(history.quoted) (use GetSnapshot)"
        )
      }
    }
    let (to, changes) = try getChanges(board, command, since)
    return (to, try id(of: to), changes)
  }

  func undo(_ board: BoardEntity, _ command: Command) throws(DBusError) -> UInt64 {
    try command.access.checkGoverns()
    let step = command.step
    var skippedRows = 0
    while let undo = try stored(board.history.numberToUndo, of: board, in: step) {
      let isOfSandbox = board.history.undoesSandbox
      guard let (fitting, unrecorded) = translate(undo, for: board, in: step) else {
        // Another machine has deleted the rows of the edit. The user means this edit, so the undo of
        // an earlier edit would remove another row.
        if undo.step.hasOthers { return board.board.revision }
        skippedRows += isOfSandbox ? 0 : board.rowCount
        if skippedRows > Self.maxSkippedRows { board.forgetUndo(in: step) }
        continue
      }
      let isWhole = fitting.kept.count == undo.kept.count
      let unneeded = isWhole ? [] : Array(Set(undo.kept).subtracting(fitting.kept))
      return try perform(fitting, as: .undo, to: board, unrecorded, discarding: unneeded, in: step)
    }
    throw DBusError(.nothingToUndo, "board: no edit is left to undo")
  }

  private func stored(
    _ number: UInt64?, of board: BoardEntity, in step: Step
  ) throws(DBusError) -> EditHistory.EncodedStep? {
    do throws(StoreError) {
      return try board.history.step(number, of: board.id, in: step.store)
    } catch { throw error.answer }
  }

  /// Adapts the next step to undo to the evictions and the edits of others that were made after it.
  ///
  /// - Returns: the adapted step, and these evictions and edits. If no operation is left, the step
  ///   is forgotten, and the result is nil.
  private func translate(
    _ undo: EditHistory.EncodedStep, for board: BoardEntity, in step: Step
  ) -> (EditHistory.EncodedStep, EditHistory.Unrecorded?)? {
    guard undo.step.evictedCount > 0 || undo.step.hasOthers else { return (undo, nil) }
    guard let (fitting, unrecorded) = try? adapted(undo.step, to: board.board) else {
      board.forgetUndo(in: step)
      return nil
    }
    guard let fitting else {
      board.forgetNextUndo(unrecorded, in: step)
      return nil
    }
    let rows = Set(fitting.rowsWithOtherContent)
    let kept = zip(undo.step.rowsWithOtherContent, undo.kept).filter { rows.contains($0.0) }
    return (EditHistory.EncodedStep(fitting, keeping: kept.map(\.1)), unrecorded)
  }

  private func adapted(
    _ step: UndoStep, to board: Board
  ) throws(HistoryDamage) -> (UndoStep?, EditHistory.Unrecorded?) {
    if !step.hasOthers {
      do throws(HistoryDamage) {
        let (fitting, evicted) = try step.withoutEvictedRows(on: board)
        return (fitting, evicted.map { .evicted($0) })
      } catch  where error == .tooManyEvicted {}
    }
    return try step.withoutOthers(on: board)
  }

  func redo(_ board: BoardEntity, _ command: Command) throws(DBusError) -> UInt64 {
    try command.access.checkGoverns()
    let number = board.history.numberToRedo
    guard let redo = try stored(number, of: board, in: command.step) else {
      throw DBusError(.nothingToRedo, "board: no undone edit is left to redo")
    }
    return try perform(redo, as: .redo, to: board, in: command.step)
  }

  private func perform(
    _ undo: EditHistory.EncodedStep, as origin: EditHistory.Origin, to board: BoardEntity,
    _ unrecorded: EditHistory.Unrecorded? = nil, discarding unneeded: [RowID] = [], in step: Step
  ) throws(DBusError) -> UInt64 {
    if let change = undo.step.retentionChange {
      let present = board.header.retention
      // The undo must not delete rows that the board has got since.
      try retention.restore(
        origin == .undo ? present.union(change.to) : change.to, of: board, in: step)
    }
    return try step.write(for: board) { store throws(StoreError) in
      let kept = try exchangeContents(undo, in: store)
      do throws(HistoryDamage) {
        return try board.perform(
          undo.step, as: origin, keeping: kept, unrecorded: unrecorded, discarding: unneeded,
          in: step)
      } catch { throw StoreError.unreadable("a step of the board's history is damaged: \(error)") }
    }
  }

  /// Replaces the contents of the step's rows by the contents that were retained for the step.
  ///
  /// - Returns: the rows that retain the replaced contents, in the order of the opposite step, which
  ///   performs its operations in reverse.
  private func exchangeContents(
    _ undo: EditHistory.EncodedStep, in store: BoardStore
  ) throws(StoreError) -> [RowID] {
    var kept: [RowID] = []
    for (row, former) in zip(undo.step.rowsWithOtherContent, undo.kept) {
      try willChange([row])
      let age = try store.summary(of: row)?.origin
      kept += try store.keepContent(of: row)
      try store.moveItem(from: former, to: row)
      // The age belongs to the row, not to the content.
      if let age {
        try store.setAge(of: row, created: age.created, renewal: age.renewal)
      }
    }
    if !kept.isEmpty { words.noteRows() }
    return kept.reversed()
  }
}
