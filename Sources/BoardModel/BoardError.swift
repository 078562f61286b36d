/// The reason why a board refuses an edit.
///
/// A refused edit changes nothing.
public enum BoardError: Error, Hashable, Sendable {
  /// The list names the row twice, or the row to insert is already on the board.
  case duplicateRow(RowID)

  /// The name is invalid.
  case invalidName(NameFault)

  /// The row is not on the board.
  case noSuchRow(RowID)

  /// The index is not in the valid range; the range is nil if no index is valid.
  case indexOutOfRange(IndexArgument, given: Int, valid: ClosedRange<Int>?)

  /// Another section has this name.
  case sectionExists(String)

  /// The only section of a board cannot be deleted.
  case lastSection

  /// The edit would change or delete a row that is not editable.
  case notEditable(RowID)

  /// The row is not movable.
  case notMovable(RowID)

  /// The edit would exceed the limit.
  case limitExceeded(BoardLimit, limit: Int)
}

/// An index of an edit; the raw value is the argument's name on the wire.
public enum IndexArgument: String, Hashable, Sendable {
  /// The section, or the section of the row.
  case section

  /// The row, or the position of new rows.
  case row

  /// The section before the move.
  case fromSection = "from_section"

  /// The row before the move.
  case fromRow = "from_row"

  /// The section after the move.
  case toSection = "to_section"

  /// The row after the move.
  case toRow = "to_row"
}

/// A limit of a board; the raw value is its name in the configuration.
public enum BoardLimit: String, Hashable, Sendable {
  /// The number of rows of the board.
  case rows = "max-rows"

  /// The number of sections of the board.
  case sections = "max-sections"
}

extension BoardError: CustomStringConvertible {
  /// The problem and the valid values; a row appears as its number.
  public var description: String {
    switch self {
    case .duplicateRow(let row):
      "row \(row) occurs twice or is already on the board"
    case .invalidName(let fault): fault.description
    case .noSuchRow(let row): "the board has no row \(row)"
    case .indexOutOfRange(let argument, let given, let valid?):
      "\(argument.rawValue): \(given) is out of range (\(valid.lowerBound)…\(valid.upperBound))"
    case .indexOutOfRange(let argument, let given, nil):
      "\(argument.rawValue): \(given) is out of range (the section has no rows)"
    case .sectionExists(let name):
      "another section has the name \"\(name)\" (expected a name that no section has)"
    case .lastSection:
      "the last section of a board cannot be deleted (expected a board with another section)"
    case .notEditable(let row): "row \(row) is not editable"
    case .notMovable(let row): "row \(row) is not movable"
    case .limitExceeded(let limit, let most):
      "\(limit.rawValue) is \(most), and the board would exceed it"
    }
  }
}
