/// Why a board refuses an edit.
///
/// A refused edit has changed nothing.
public enum BoardError: Error, Hashable, Sendable {
  /// The list names the row twice, or the row to be inserted is there already.
  case duplicateRow(RowID)

  /// The name is none.
  case invalidName(NameFault)

  /// The board has no such row.
  case noSuchRow(RowID)

  /// That index was given where only the range is valid; no range where no index would be.
  case indexOutOfRange(IndexArgument, given: Int, valid: ClosedRange<Int>?)

  /// Another section bears the name.
  case sectionExists(String)

  /// The board's only section cannot be deleted.
  case lastSection

  /// The row can be neither changed nor deleted.
  case notEditable(RowID)

  /// The row cannot be moved.
  case notMovable(RowID)

  /// The edit would exceed the limit.
  case limitExceeded(BoardLimit, limit: Int)
}

/// Which index of an edit is meant; the raw value is the argument's name on the wire.
public enum IndexArgument: String, Hashable, Sendable {
  /// The section of the row in question, or the section in question.
  case section

  /// The row in question, or where rows are to stand.
  case row

  /// The section that something is moved from.
  case fromSection = "from_section"

  /// The row that is moved.
  case fromRow = "from_row"

  /// The section that something is moved to.
  case toSection = "to_section"

  /// Where the moved row is to stand.
  case toRow = "to_row"
}

/// What a board can have only so many of; the raw value is the limit's name in the configuration.
public enum BoardLimit: String, Hashable, Sendable {
  /// Rows of the board.
  case rows = "max-rows"

  /// Sections of the board.
  case sections = "max-sections"
}

extension BoardError: CustomStringConvertible {
  /// What was wrong, and what would have been right.
  ///
  /// Rows are named by number.
  public var description: String {
    switch self {
    case .duplicateRow(let row):
      "row \(row) is named twice, or is there already; name each row once"
    case .invalidName(let fault): fault.description
    case .noSuchRow(let row): "the board has no row \(row)"
    case .indexOutOfRange(let argument, let given, let valid?):
      "\(argument.rawValue) is \(given); valid is \(valid.lowerBound) to \(valid.upperBound)"
    case .indexOutOfRange(let argument, let given, nil):
      "\(argument.rawValue) is \(given), but the section has no rows"
    case .sectionExists(let name): "another section is called \"\(name)\"; names are unique"
    case .lastSection: "a board has at least one section, and this is the last"
    case .notEditable(let row): "row \(row) is not editable"
    case .notMovable(let row): "row \(row) is not movable"
    case .limitExceeded(let limit, let most): "\(limit.rawValue) is \(most), and this would be more"
    }
  }
}
