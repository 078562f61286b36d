/// What takes the latest edit back, as it is put together while the edit is made.
struct UndoRecord: Sendable {
  /// What takes back each part of the edit, in the order in which the parts were done.
  private var operations: [UndoStep.Operation] = []

  /// Whether the edit is complete: what is recorded next belongs to another.
  private var isComplete = false

  /// How many parts the edit has so far.
  var count: Int { isComplete ? 0 : operations.count }

  /// Records what takes back the part that was just done.
  mutating func append(_ operation: UndoStep.Operation) {
    begin()
    operations.append(operation)
  }

  /// Records what takes back parts, in the order in which they were done.
  mutating func append(contentsOf more: some Sequence<UndoStep.Operation>) {
    begin()
    operations.append(contentsOf: more)
  }

  /// Records something else for the parts after the first so many.
  mutating func replace(after first: Int, with others: [UndoStep.Operation]) {
    operations.replaceSubrange(first..., with: others)
  }

  /// Notes that the edit is complete.
  mutating func complete() { isComplete = true }

  /// Gives the step that takes back the edit, or as much of it as was done, and forgets it.
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
