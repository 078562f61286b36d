// The checks of edits, and their conclusion.

extension Board {
  /// Refuses an index that is not in the range.
  func check(
    _ argument: IndexArgument, _ given: Int, isIn valid: Range<Int>
  ) throws(BoardError) {
    guard !valid.contains(given) else { return }
    throw .indexOutOfRange(
      argument, given: given, valid: valid.isEmpty ? nil : valid.lowerBound...valid.upperBound - 1)
  }

  /// Refuses the index of a section that is not there.
  func checkSection(_ argument: IndexArgument, _ given: Int) throws(BoardError) {
    try check(argument, given, isIn: 0..<sectionCount)
  }

  /// Refuses a path at which no row stands.
  func checkRow(
    _ path: IndexPath, section: IndexArgument, row: IndexArgument
  ) throws(BoardError) {
    try checkSection(section, path.section)
    try check(row, path.row, isIn: 0..<storage.sections[path.section].rowCount)
  }

  /// Refuses a list that names a row twice; new rows come in ascending order, which needs no set.
  func checkDistinct(_ rows: [RowID]) throws(BoardError) {
    guard !zip(rows, rows.dropFirst()).allSatisfy(<) else { return }
    var seen = RowSet()
    for row in rows {
      guard seen.insert(row) else { throw .duplicateRow(row) }
    }
  }

  /// The entries of the rows, all of which have to be on the board.
  func entries(of rows: [RowID]) throws(BoardError) -> [RowEntry] {
    try rows.map { (row) throws(BoardError) in
      guard let entry = storage.entry(of: row) else { throw .noSuchRow(row) }
      return entry
    }
  }

  /// Makes the next revision; nil changes are a reset.
  mutating func conclude(_ changes: [Change]?) -> Revision {
    record.complete()
    let made = Revision(from: revision, changes: changes ?? [.reset])
    revision = made.to
    return made
  }
}
