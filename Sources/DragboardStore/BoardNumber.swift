/// The number of a board in its store; a number is never reused.
public struct BoardNumber: Hashable, Comparable, Sendable {
  /// The number, 1 or more.
  public let rawValue: Int64

  /// Creates an id from a number.
  public init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// Compares the numbers.
  ///
  /// Boards that were created later have higher numbers.
  public static func < (one: BoardNumber, other: BoardNumber) -> Bool {
    one.rawValue < other.rawValue
  }
}
