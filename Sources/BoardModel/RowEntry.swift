/// A row and its permissions, packed into eight bytes.
///
/// Blocks consist of entries, in memory and on disk.
///
/// The lower 62 bits are the number of the row. Bit 63 is set if the row is not editable, bit 62 if
/// it is not movable. So the entry of an editable and movable row is the row's number.
public struct RowEntry: Hashable, Sendable {
  /// The packed value, the same on every machine.
  public let rawValue: UInt64

  /// Unpacks a `rawValue`; every number is an entry.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Packs a row, whose number is below 2^54, and its permissions.
  public init(_ row: RowID, flags: RowFlags = .all) {
    let closed = RowFlags.all.subtracting(flags)
    self.rawValue =
      row.rawValue & Self.rowMask
      | (closed.contains(.isEditable) ? Self.notEditable : 0)
      | (closed.contains(.isMovable) ? Self.notMovable : 0)
  }

  private static let notEditable: UInt64 = 1 << 63
  private static let notMovable: UInt64 = 1 << 62
  private static let rowMask = notMovable - 1

  /// The row.
  public var row: RowID { RowID(rawValue & Self.rowMask) }

  /// The permissions.
  public var flags: RowFlags {
    var flags = RowFlags()
    if isEditable { flags.insert(.isEditable) }
    if isMovable { flags.insert(.isMovable) }
    return flags
  }

  /// Whether the row may be changed, cleared and deleted.
  public var isEditable: Bool { rawValue & Self.notEditable == 0 }

  /// Whether the row may be moved.
  public var isMovable: Bool { rawValue & Self.notMovable == 0 }
}
