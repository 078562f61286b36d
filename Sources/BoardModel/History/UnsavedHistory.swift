/// The changes to write so that the stored history of a board equals the history in memory.
package struct UnsavedHistory: Sendable {
  /// A step to write.
  package struct StepRecord: Sendable {
    package let info: StepInfo
    package let content: EditHistory.EncodedStep
  }

  /// New changes in their binary encoding, and their revisions.
  package struct Log: Sendable {
    package let changes: [UInt8]
    package let revisions: ClosedRange<UInt64>
  }

  /// The stored steps to delete, whose row contents must be discarded.
  package var forgottenSteps: [UInt64] = []
  /// The stored steps to delete without any row contents.
  package var deletedSteps: [ClosedRange<UInt64>] = []
  /// The rows whose contents no step needs.
  package var discardedRows: [RowID] = []
  /// The new and the changed steps.
  package var steps: [StepRecord] = []
  /// The new changes.
  package var log: Log?
  /// The revision up to which the log is deleted.
  package var forgottenRevision: UInt64?

  package init() {}
}
