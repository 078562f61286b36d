/// A row and its flags, packed into eight bytes.
///
/// Blocks consist of entries, in memory and on disk.
///
/// The lower 61 bits are the number of the row. Bit 63 is set if the row is not editable, bit 62 if
/// it is not movable, bit 61 if it is pinned. So the entry of a new row equals the row's number.
public struct RowEntry: Hashable, Sendable {
  /// The packed value, the same on every machine.
  public let rawValue: UInt64

  /// Unpacks a `rawValue`; every number is valid.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Packs a row, whose number is below 2^54, and its flags.
  public init(_ row: RowID, flags: RowFlags = .initial) {
    self.rawValue =
      row.rawValue & Self.rowMask
      | (flags.contains(.isEditable) ? 0 : Self.notEditable)
      | (flags.contains(.isMovable) ? 0 : Self.notMovable)
      | (flags.contains(.isPinned) ? Self.pinned : 0)
  }

  private static let notEditable: UInt64 = 1 << 63
  private static let notMovable: UInt64 = 1 << 62
  private static let pinned: UInt64 = 1 << 61
  private static let rowMask = pinned - 1

  /// The row.
  public var row: RowID { RowID(rawValue & Self.rowMask) }

  /// The flags.
  public var flags: RowFlags {
    var flags = RowFlags()
    if isEditable { flags.insert(.isEditable) }
    if isMovable { flags.insert(.isMovable) }
    if isPinned { flags.insert(.isPinned) }
    return flags
  }

  /// Whether the row may be changed and deleted.
  public var isEditable: Bool { rawValue & Self.notEditable == 0 }

  /// Whether the row may be moved.
  public var isMovable: Bool { rawValue & Self.notMovable == 0 }

  /// Whether the row stays when the board is cleared.
  public var isPinned: Bool { rawValue & Self.pinned != 0 }

  /// Whether an edit that names no row, such as clearing the board, may delete the row.
  public var isClearable: Bool { isEditable && !isPinned }
}
