/// The flags of a row, which permit edits of it.
public struct RowFlags: OptionSet, Hashable, Sendable {
  /// The flags as bits.
  public let rawValue: UInt8

  /// Creates a set from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The row may be changed and deleted.
  public static let isEditable = RowFlags(rawValue: 1)

  /// The row may be moved.
  ///
  /// Other rows may always move past it.
  public static let isMovable = RowFlags(rawValue: 2)

  /// The row stays when the board is cleared.
  ///
  /// It may be deleted by an edit that names it or its section.
  public static let isPinned = RowFlags(rawValue: 4)

  /// All flags.
  public static let all: RowFlags = [.isEditable, .isMovable, .isPinned]

  /// The flags of a new row.
  public static let initial: RowFlags = [.isEditable, .isMovable]
}
