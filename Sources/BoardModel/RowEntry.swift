/// A row and its gates, packed into eight bytes: what blocks of rows are made of, in memory and on
/// disk.
///
/// The lower 62 bits are the number of the row. Bit 63 is set where it is not editable, bit 62
/// where it is not movable, so that the entry of a row whose gates are open is the number itself.
public struct RowEntry: Hashable, Sendable {
  /// The packed form, the same on every machine.
  public let rawValue: UInt64

  /// Unpacks what `rawValue` gave; every number is an entry.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Packs a row, whose number is below 2^54, and its gates.
  public init(_ row: RowID, gates: RowGates = .open) {
    let closed = RowGates.open.subtracting(gates)
    self.rawValue =
      row.rawValue & Self.rowMask
      | (closed.contains(.editable) ? Self.notEditable : 0)
      | (closed.contains(.movable) ? Self.notMovable : 0)
  }

  private static let notEditable: UInt64 = 1 << 63
  private static let notMovable: UInt64 = 1 << 62
  private static let rowMask = notMovable - 1

  /// The row.
  public var row: RowID { RowID(rawValue & Self.rowMask) }

  /// What may be done to it.
  public var gates: RowGates {
    var gates = RowGates()
    if isEditable { gates.insert(.editable) }
    if isMovable { gates.insert(.movable) }
    return gates
  }

  /// Whether the row can be changed, cleared and deleted.
  public var isEditable: Bool { rawValue & Self.notEditable == 0 }

  /// Whether the row can be moved.
  public var isMovable: Bool { rawValue & Self.notMovable == 0 }
}
