/// A place on a board: a section, and a row within it, both counted from 0.
public struct IndexPath: Hashable, Comparable, Sendable {
  /// The index of the section on the board.
  public var section: Int

  /// The index of the row in the section.
  public var row: Int

  /// Makes the path of that row of that section; whether a board has it is not asked.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// The order in which a board is read: section after section, row after row.
  public static func < (one: IndexPath, other: IndexPath) -> Bool {
    (one.section, one.row) < (other.section, other.row)
  }
}

extension IndexPath: CustomStringConvertible {
  /// Section and row with a dot between them: `0.12`.
  public var description: String { "\(section).\(row)" }
}
