// Checks of the arguments of edits.

extension RowStorage {
  /// Throws if the section does not exist.
  func checkSection(_ argument: IndexArgument, _ given: Int) throws(BoardError) {
    try argument.check(given, isIn: sections.indices)
  }

  /// Throws if there is no row at the path.
  func checkRow(
    _ path: IndexPath, section: IndexArgument, row: IndexArgument
  ) throws(BoardError) {
    try checkSection(section, path.section)
    try row.check(path.row, isIn: 0..<sections[path.section].rowCount)
  }

  /// Throws if this number of rows cannot be inserted at the path.
  func checkInsertion(of count: Int, at path: IndexPath, maxRows: Int) throws(BoardError) {
    try checkSection(.section, path.section)
    try IndexArgument.row.check(path.row, isIn: 0..<sections[path.section].rowCount + 1)
    guard count == 0 || rowCount + count <= maxRows else {
      throw .limitExceeded(.rows, limit: maxRows)
    }
  }

  /// Returns the entries of rows; throws if a row is not on the board.
  func entries(of rows: [RowID]) throws(BoardError) -> [RowEntry] {
    try rows.map { (row) throws(BoardError) in
      guard let entry = entry(of: row) else { throw .noSuchRow(row) }
      return entry
    }
  }

  /// Throws if a section cannot be inserted.
  func checkNewSection(_ name: String, at index: Int, maxSections: Int) throws(BoardError) {
    try Name.check(name)
    try IndexArgument.section.check(index, isIn: 0..<sections.count + 1)
    try checkIsFree(name)
    guard sections.count < maxSections else {
      throw .limitExceeded(.sections, limit: maxSections)
    }
  }

  /// Returns whether a new name differs from the name of the section; throws if the section cannot
  /// have it.
  func isNew(_ name: String, ofSection section: Int) throws(BoardError) -> Bool {
    try Name.check(name)
    try checkSection(.section, section)
    guard sections[section].name != name else { return false }
    try checkIsFree(name)
    return true
  }

  private func checkIsFree(_ name: String) throws(BoardError) {
    guard !sections.contains(where: { $0.name == name }) else { throw .sectionExists(name) }
  }
}

extension IndexArgument {
  /// Throws if an index is not in the range.
  func check(_ given: Int, isIn valid: Range<Int>) throws(BoardError) {
    guard !valid.contains(given) else { return }
    throw .indexOutOfRange(
      self, given: given, valid: valid.isEmpty ? nil : valid.lowerBound...valid.upperBound - 1)
  }
}

extension Name {
  /// Throws if a text is not a name.
  fileprivate static func check(_ text: String) throws(BoardError) {
    do { _ = try Name(text) } catch { throw .invalidName(error) }
  }
}

extension [RowID] {
  /// Throws if the list names a row twice.
  ///
  /// Ascending ids are distinct. So the list of new rows, whose ids ascend, needs no set.
  func checkDistinct() throws(BoardError) {
    guard !zip(self, dropFirst()).allSatisfy(<) else { return }
    var seen = RowSet()
    for row in self {
      guard seen.insert(row) else { throw .duplicateRow(row) }
    }
  }
}
