/// The reason why an arrangement is invalid or a board refuses it.
///
/// A refused arrangement changes nothing.
public enum ArrangementError: Error, Hashable, Sendable {
  /// The arrangement has no section.
  case noSections

  /// The name of a section is invalid.
  case invalidName(NameFault)

  /// Two sections have this name.
  case sectionTwice(String)

  /// The row occurs twice.
  case rowTwice(RowID)

  /// The row is on the board, but not in the arranged section.
  case rowElsewhere(RowID, section: Int)

  /// The row is in the section, but not in the arrangement.
  case rowMissing(RowID, section: Int)

  /// The board refuses an edit: the row is unknown, not editable or not movable, there are too many
  /// sections, or the section does not exist.
  case refused(BoardError)
}

extension ArrangementError: CustomStringConvertible {
  /// The problem and the valid values, with rows by number.
  public var description: String {
    switch self {
    case .noSections: "no section (expected at least one)"
    case .invalidName(let fault): fault.description
    case .sectionTwice(let name): "section \"\(name)\" occurs twice (expected once)"
    case .rowTwice(let row): "row \(row) occurs twice"
    case .rowElsewhere(let row, let section):
      "row \(row) is not in section \(section)"
    case .rowMissing(let row, let section):
      "row \(row) of section \(section) is missing (expected all rows of the section)"
    case .refused(let error): error.description
    }
  }
}
