/// The rows that a board retains: `RetainRows` and `RetainSeconds`.
public struct RetentionLimits: Hashable, Sendable {
  /// The maximum number of rows; 0 for any number.
  public var rows: UInt32

  /// The maximum age of a row in seconds; 0 for any age.
  public var seconds: UInt32

  /// Creates limits; by default all rows are retained.
  public init(rows: UInt32 = 0, seconds: UInt32 = 0) {
    self.rows = rows
    self.seconds = seconds
  }

  /// Returns limits that retain every row that one of the two limits retains.
  public func union(_ other: RetentionLimits) -> RetentionLimits {
    func wider(_ one: UInt32, _ other: UInt32) -> UInt32 {
      one == 0 || other == 0 ? 0 : max(one, other)
    }
    return RetentionLimits(
      rows: wider(rows, other.rows), seconds: wider(seconds, other.seconds))
  }
}

/// A change of a board's retention, which an undo reverses together with the deletion of rows.
public struct RetentionChange: Hashable, Sendable {
  /// The limits before the change.
  public let from: RetentionLimits

  /// The limits after the change.
  public let to: RetentionLimits

  /// Creates a change.
  public init(from: RetentionLimits, to: RetentionLimits) {
    (self.from, self.to) = (from, to)
  }

  /// The opposite change.
  public var reversed: RetentionChange { RetentionChange(from: to, to: from) }
}
