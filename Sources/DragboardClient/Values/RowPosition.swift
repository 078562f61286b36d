/// The position of a row: indexes of a section and of a row in it, from 0 on.
public struct RowPosition: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The index of the section on the board.
  public var section: Int
  /// The index of the row in the section.
  public var row: Int

  /// The place of that row of that section.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// Section and row with a colon between them: `0:12`.
  public var description: String { "\(section):\(row)" }

  /// The order in which a board is read.
  public static func < (left: RowPosition, right: RowPosition) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}
