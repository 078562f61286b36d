/// Why an arrangement is none, or a board refuses it.
///
/// A refused arrangement has changed nothing.
public enum ArrangementError: Error, Hashable, Sendable {
  /// There is no section.
  case noSections

  /// The name of a section is none.
  case invalidName(NameFault)

  /// Two sections bear the name.
  case sectionTwice(String)

  /// The row is named twice.
  case rowTwice(RowID)

  /// The row is on the board, but not in the section whose order was given.
  case rowElsewhere(RowID, section: Int)

  /// The order does not name the row, which is in the section.
  case rowMissing(RowID, section: Int)

  /// What a board refuses of any edit: an unknown row, one that is not editable or not movable, too
  /// many sections, a section that is not there.
  case refused(BoardError)
}

extension ArrangementError: CustomStringConvertible {
  /// What was wrong, and what would have been right.
  ///
  /// Rows are named by number.
  public var description: String {
    switch self {
    case .noSections: "no section is named; a board has at least one"
    case .invalidName(let fault): fault.description
    case .sectionTwice(let name): "section \"\(name)\" is named twice; name each section once"
    case .rowTwice(let row): "row \(row) is named twice; name each row once"
    case .rowElsewhere(let row, let section):
      "row \(row) is not in section \(section); name the rows of that section"
    case .rowMissing(let row, let section):
      "row \(row) of section \(section) is not named; name all rows of the section"
    case .refused(let error): error.description
    }
  }
}
