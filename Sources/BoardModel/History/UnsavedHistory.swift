/// The changes to write so that the stored history of a board equals the history in memory.
package struct UnsavedHistory: Sendable {
  /// The stored steps to delete, whose row contents must be discarded.
  package var forgottenSteps: [UInt64] = []
  /// The stored steps to delete without any row contents.
  package var deletedSteps: [ClosedRange<UInt64>] = []
  /// The rows whose contents no step needs.
  package var discardedRows: [RowID] = []
  /// The new and the changed steps.
  package var steps: [(info: StepInfo, step: BoardHistory.Step)] = []
  /// The new changes in their binary encoding, and their revisions.
  package var log: (changes: [UInt8], revisions: ClosedRange<UInt64>)?
  /// The revision up to which the log is deleted.
  package var forgottenRevision: UInt64?

  package init() {}
}
