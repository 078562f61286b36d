/// A step of a board's history, as a repository lists it.
public struct StepInfo: Hashable, Sendable {
  /// What names it on its board.
  public let number: UInt64
  /// Whether its edit has been taken back: then it makes the edit again.
  public let isUndone: Bool
  /// How large it is, with all that is kept for its sake.
  public let byteCount: Int

  /// A step with those parts.
  public init(number: UInt64, isUndone: Bool, byteCount: Int) {
    self.number = number
    self.isUndone = isUndone
    self.byteCount = byteCount
  }
}
