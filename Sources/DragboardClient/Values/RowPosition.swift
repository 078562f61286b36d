/// The position of a row: the index of its section, and its index in the section.
///
/// Both begin at 0.
public struct RowPosition: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The index of the section on the board.
  public var section: Int
  /// The index of the row in the section.
  public var row: Int

  /// Creates a position.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// The section and the row, separated by a colon: `0:12`.
  public var description: String { "\(section):\(row)" }

  /// The order in which a board is read.
  public static func < (left: RowPosition, right: RowPosition) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}
