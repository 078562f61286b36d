/// Consecutive rows of those that a query finds, the best first.
public struct FoundPage: Hashable, Sendable {
  /// A row and its position on the board.
  public struct FoundRow: Hashable, Sendable {
    /// The row.
    public let row: Row
    /// The position of the row at the revision of the page.
    public let position: RowPosition
  }

  /// The revision of the board.
  public let revision: UInt64
  /// The rows.
  public let rows: [FoundRow]
  /// Whether other rows follow.
  public let hasMore: Bool
}
