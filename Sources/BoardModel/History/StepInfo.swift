/// A step of a board's history, without its operations.
package struct StepInfo: Hashable, Sendable {
  /// The number of the step on its board.
  package let number: UInt64
  /// Whether the edit was undone, so that the step redoes it.
  package let isUndone: Bool
  /// The size of the step in bytes, including all contents that are retained for it.
  package let byteCount: Int
  /// The sandbox that made the edit; nil for an edit of the user.
  package let sandbox: String?

  /// Creates a step from its parts.
  package init(number: UInt64, isUndone: Bool, byteCount: Int, by sandbox: String? = nil) {
    self.number = number
    self.isUndone = isUndone
    self.byteCount = byteCount
    self.sandbox = sandbox
  }
}
