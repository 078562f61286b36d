/// A deleted board that can be restored.
public struct DeletedBoard: Hashable, Sendable {
  /// The name of the board.
  public let name: String
  /// The number of rows of the board.
  public let count: Int
  /// The time of the deletion, as time since the beginning of 1970, UTC.
  public let deleted: Duration
}
