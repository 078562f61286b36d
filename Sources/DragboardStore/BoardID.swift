/// The number of a board in its store; a number is never reused.
public struct BoardID: Hashable, Comparable, Sendable {
  /// The number, 1 or more.
  public let rawValue: Int64

  /// Makes an id from a number.
  public init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// Compares the numbers, which follow the order in which the boards were made.
  public static func < (one: BoardID, other: BoardID) -> Bool { one.rawValue < other.rawValue }
}
