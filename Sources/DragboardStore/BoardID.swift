/// The number of a board in its store, which is never used again.
public struct BoardID: Hashable, Comparable, Sendable {
  /// The number, 1 or more.
  public let rawValue: Int64

  /// The id with that number.
  public init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// The order of the numbers: the order in which the boards were made.
  public static func < (one: BoardID, other: BoardID) -> Bool { one.rawValue < other.rawValue }
}
