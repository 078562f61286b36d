/// A deleted board that can be restored.
public struct DeletedBoard: Hashable, Sendable {
  /// The name that it had.
  public let name: String
  /// The number of its rows.
  public let count: Int
  /// The time of the deletion, since 1970, UTC.
  public let deleted: Duration
}
