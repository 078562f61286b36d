/// A row's identity: a number that is never used twice, neither in the process nor in the database.
///
/// Whoever gives the numbers keeps them below 2^54, which leaves room beside them for what is
/// packed with them. Consecutive numbers make the smallest boards in memory.
public struct RowID: Hashable, Comparable, Sendable {
  /// The number, below 2^54.
  public let rawValue: UInt64

  /// Names the row of that number, which is below 2^54.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// The order of the numbers: the order in which they were given.
  public static func < (one: RowID, other: RowID) -> Bool { one.rawValue < other.rawValue }
}

extension RowID: CustomStringConvertible {
  /// The number in decimal, after a number sign.
  public var description: String { "#\(rawValue)" }
}
