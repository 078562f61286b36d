/// The operations that undo the latest edit, recorded during the edit.
struct UndoRecord: Sendable {
  /// The operations that undo the parts of the edit, in the order of the parts.
  private var operations: [UndoStep.Operation] = []

  /// Whether the edit is complete, so that the next operation belongs to another edit.
  private var isComplete = false

  /// The number of recorded parts; 0 if the edit is complete.
  var count: Int { isComplete ? 0 : operations.count }

  /// Records the operation that undoes the latest part.
  mutating func append(_ operation: UndoStep.Operation) {
    begin()
    operations.append(operation)
  }

  /// Records the operations that undo the latest parts, in the order of the parts.
  mutating func append(contentsOf more: some Sequence<UndoStep.Operation>) {
    begin()
    operations.append(contentsOf: more)
  }

  /// Retains the first `first` operations, and replaces all others.
  mutating func replace(after first: Int, with others: [UndoStep.Operation]) {
    operations.replaceSubrange(first..., with: others)
  }

  mutating func complete() { isComplete = true }

  /// Returns the step that undoes the edit, or its parts so far, and clears the record.
  mutating func take() -> UndoStep? {
    guard !operations.isEmpty else { return nil }
    defer { self = UndoRecord() }
    return UndoStep(operations: operations.count == 1 ? operations : operations.reversed())
  }

  private mutating func begin() {
    guard isComplete else { return }
    operations.removeAll(keepingCapacity: true)
    isComplete = false
  }
}
