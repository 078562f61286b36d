internal import BoardModel

/// Decodes any bytes as the stored history of a board.
///
/// The bytes are refused, or encoding the decoded history gives the same bytes.
func fuzzHistory(_ bytes: UnsafeRawBufferPointer) {
  let bytes = Array(bytes)
  if let revisions = try? [Revision](encoding: bytes) {
    guard let again = try? [Revision](encoding: revisions.encoding) else {
      fatalError("cannot be read again")
    }
    precondition(again == revisions, "is read as others")
    var snapshot = Board().snapshot()
    for revision in revisions { try? snapshot.apply(revision) }
  }
  if let step = try? UndoStep(bytes: bytes) {
    guard let again = try? UndoStep(bytes: step.bytes) else { fatalError("cannot be read again") }
    precondition(again == step, "is read as another")
    _ = (step.returningRows, step.rowsWithOtherContent)
    checkApplying(step)
  }
}

/// Checks that a step is refused without a change, or is applied and can be undone.
private func checkApplying(_ step: UndoStep) {
  var board = Board()
  _ = try? board.insert((1...8).map { RowID($0) }, at: IndexPath(section: 0, row: 0), maxRows: 8)
  _ = board.takeUndoStep()
  let before = board.snapshot().sections
  guard (try? board.apply(step)) != nil else {
    return precondition(board.snapshot().sections == before, "refused, and changed")
  }
  guard let back = board.takeUndoStep(), (try? board.apply(back)) != nil else { return }
  precondition(board.snapshot().sections == before, "the undone edit left a difference")
}
