/// What may be done to a row.
///
/// A gate that is not in the set is closed.
public struct RowGates: OptionSet, Hashable, Sendable {
  /// The gates as bits.
  public let rawValue: UInt8

  /// Makes the set of those bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The row can be changed, cleared and deleted.
  public static let editable = RowGates(rawValue: 1)

  /// The row can be moved.
  ///
  /// Others may move past it all the same.
  public static let movable = RowGates(rawValue: 2)

  /// Every gate: what a row has at the beginning.
  public static let open: RowGates = [.editable, .movable]
}
