/// The permissions of a row.
public struct RowFlags: OptionSet, Hashable, Sendable {
  /// The permissions as bits.
  public let rawValue: UInt8

  /// Creates a set from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The row may be changed, cleared and deleted.
  public static let isEditable = RowFlags(rawValue: 1)

  /// The row may be moved.
  ///
  /// Other rows may always move past it.
  public static let isMovable = RowFlags(rawValue: 2)

  /// All permissions, which a new row has.
  public static let all: RowFlags = [.isEditable, .isMovable]
}
