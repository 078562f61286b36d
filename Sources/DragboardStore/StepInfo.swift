/// A step of a board's history, without its operations.
public struct StepInfo: Hashable, Sendable {
  /// The number of the step on its board.
  public let number: UInt64
  /// Whether its edit has been undone: then the step redoes it.
  public let isUndone: Bool
  /// How large the step is, with everything that is kept for its sake.
  public let byteCount: Int

  /// A step with those parts.
  public init(number: UInt64, isUndone: Bool, byteCount: Int) {
    self.number = number
    self.isUndone = isUndone
    self.byteCount = byteCount
  }
}
