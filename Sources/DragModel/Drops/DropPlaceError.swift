/// Why a drop cannot go where it is asked to.
public enum DropPlaceError: Error, Hashable, Sendable {
  /// The board has sections 0 to `count` - 1, and not this one.
  case noSuchSection(Int, count: Int)
  /// In this section the operation can go to 0 to `end`, and not to this row.
  case noSuchRow(Int, section: Int, operation: DropOperation, end: Int)
}

extension DropPlaceError: CustomStringConvertible {
  /// What was wrong, and what would have been right.
  public var description: String {
    switch self {
    case .noSuchSection(let section, let count):
      "section: \(section) is none; the board has the sections 0 to \(count - 1)"
    case .noSuchRow(let row, let section, let operation, let end):
      """
      row: \(row) is no place in section \(section); a drop that would be \(operation.rawValue) goes to 0 to \(end), \
      or -1 for the end
      """
    }
  }
}
