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
      "section: \(section) is out of range (0…\(count - 1))"
    case .noSuchRow(let row, let section, let operation, let end):
      """
      row: \(row) is out of range (0…\(end) for operation \(operation.rawValue) in section \(section), \
      or -1 for the end)
      """
    }
  }
}
