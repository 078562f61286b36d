// Checks of arguments, and the end of an edit.

extension Board {
  /// Throws if an index is not in the range.
  func check(
    _ argument: IndexArgument, _ given: Int, isIn valid: Range<Int>
  ) throws(BoardError) {
    guard !valid.contains(given) else { return }
    throw .indexOutOfRange(
      argument, given: given, valid: valid.isEmpty ? nil : valid.lowerBound...valid.upperBound - 1)
  }

  /// Throws if the section does not exist.
  func checkSection(_ argument: IndexArgument, _ given: Int) throws(BoardError) {
    try check(argument, given, isIn: 0..<sectionCount)
  }

  /// Throws if there is no row at the path.
  func checkRow(
    _ path: IndexPath, section: IndexArgument, row: IndexArgument
  ) throws(BoardError) {
    try checkSection(section, path.section)
    try check(row, path.row, isIn: 0..<storage.sections[path.section].rowCount)
  }

  /// Throws if a list names a row twice.
  ///
  /// Ascending ids are distinct. So the list of new rows, whose ids ascend, needs no set.
  func checkDistinct(_ rows: [RowID]) throws(BoardError) {
    guard !zip(rows, rows.dropFirst()).allSatisfy(<) else { return }
    var seen = RowSet()
    for row in rows {
      guard seen.insert(row) else { throw .duplicateRow(row) }
    }
  }

  /// Returns the entries of rows; throws if a row is not on the board.
  func entries(of rows: [RowID]) throws(BoardError) -> [RowEntry] {
    try rows.map { (row) throws(BoardError) in
      guard let entry = storage.entry(of: row) else { throw .noSuchRow(row) }
      return entry
    }
  }

  /// Ends an edit, and returns its revision; nil changes mean a reset.
  mutating func conclude(_ changes: [Change]?) -> Revision {
    record.complete()
    let made = Revision(from: revision, changes: changes ?? [.reset])
    revision = made.to
    return made
  }
}
