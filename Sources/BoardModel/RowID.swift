/// The identity of a row: a number that is never reused, neither in the process nor in the
/// database.
///
/// Numbers are below 2^54, so that other bits can be packed with them. Boards whose rows have
/// consecutive numbers take the least memory.
public struct RowID: Hashable, Comparable, Sendable {
  /// The number, below 2^54.
  public let rawValue: UInt64

  /// Creates the id with this number, which is below 2^54.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// Compares the numbers, which are in the order of creation.
  public static func < (one: RowID, other: RowID) -> Bool { one.rawValue < other.rawValue }
}

extension RowID: CustomStringConvertible {
  /// The number in decimal, after a number sign.
  public var description: String { "#\(rawValue)" }
}
