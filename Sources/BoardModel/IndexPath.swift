/// A position on a board: a section, and a row in it, both counted from 0.
public struct IndexPath: Hashable, Comparable, Sendable {
  /// The index of the section on the board.
  public var section: Int

  /// The index of the row in the section.
  public var row: Int

  /// Creates a path; the section and the row need not exist.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// Compares the order on a board: by section, then by row.
  public static func < (one: IndexPath, other: IndexPath) -> Bool {
    (one.section, one.row) < (other.section, other.row)
  }
}

extension IndexPath: CustomStringConvertible {
  /// Section and row, separated by a dot: `0.12`.
  public var description: String { "\(section).\(row)" }
}
