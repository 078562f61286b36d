/// The reason why the position of a drop is not valid.
public enum DropPositionError: Error, Hashable, Sendable {
  /// The board has only the sections 0 to `count` - 1.
  case noSuchSection(Int, count: Int)
  /// In this section the operation accepts only the rows 0 to `end`.
  case noSuchRow(Int, section: Int, operation: DropOperation, end: Int)
}

extension DropPositionError: CustomStringConvertible {
  /// The problem and the valid values.
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
