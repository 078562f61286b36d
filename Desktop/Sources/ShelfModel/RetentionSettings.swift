/// The limits of a board that delete its oldest rows.
public struct RetentionSettings: Sendable {
  /// The maximum number of rows; 0 means no limit.
  public var rows: Int
  /// The age at which a row is deleted; zero means no limit.
  public var time: Duration

  /// Creates limits.
  public init(rows: Int, time: Duration) {
    self.rows = rows
    self.time = time
  }

  /// Returns the number of rows of a board that the limits delete.
  ///
  /// If some rows belong to sandboxes, the daemon may delete fewer rows, because a sandbox has only a
  /// share of the rows.
  ///
  /// - Parameters:
  ///   - count: the number of rows of the board.
  ///   - created: the creation times of its rows that are neither pinned nor locked.
  ///   - now: the present time, in the same time scale.
  /// - Returns: the number of rows.
  public func deletedCount(of count: Int, created: [Duration], at now: Duration) -> Int {
    let expired = time > .zero ? created.count { now - $0 >= time } : 0
    let excess = rows > 0 ? count - rows : 0
    return max(expired, min(excess, created.count))
  }
}
