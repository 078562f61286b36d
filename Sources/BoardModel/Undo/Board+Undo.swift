extension Board {
  /// Returns the step that reverses the latest edit: an undo step, or a redo step after an undo.
  ///
  /// Each step is returned only once, and only before the next edit. O(1).
  public mutating func takeUndoStep() -> UndoStep? { record.take() }

  /// Performs a step.
  ///
  /// The board must be in the state in which the step was taken. Rows return with their ids and
  /// flags, sections with their names; limits do not apply. Afterwards `takeUndoStep` returns the
  /// opposite step. A step that does not fit changes nothing. O(size of the step), plus the cost of
  /// each edit.
  public mutating func apply(_ step: UndoStep) throws(HistoryDamage) -> Revision {
    conclude(try StepReplay(of: step, on: &storage, recording: &record).changes)
  }
}
