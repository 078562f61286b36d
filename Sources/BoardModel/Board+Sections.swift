// Edits of sections.

extension Board {
  /// Inserts a section without rows.
  ///
  /// The name must be unique. The index is at most the number of sections; nil means the end. With
  /// the new section, the board may have at most `maxSections`.
  public mutating func insertSection(
    named name: String, at index: Int?, maxSections: Int
  ) throws(BoardError) -> Revision? {
    let index = index ?? sectionCount
    try storage.checkNewSection(name, at: index, maxSections: maxSections)
    record.insertSection(named: name, at: index, in: &storage)
    return conclude([.insertSection(name, at: index)])
  }

  /// Renames a section; the new name must be unique.
  public mutating func renameSection(
    _ section: Int, to name: String
  ) throws(BoardError) -> Revision? {
    guard try storage.isNew(name, ofSection: section) else { return nil }
    record.renameSection(at: section, to: name, in: &storage)
    return conclude([.renameSection(to: name, at: section)])
  }

  /// Moves a section with its rows; `destination` is its index after the move.
  public mutating func moveSection(
    from source: Int, to destination: Int
  ) throws(BoardError) -> Revision? {
    try storage.checkSection(.fromSection, source)
    try storage.checkSection(.toSection, destination)
    guard source != destination else { return nil }
    let name = storage.sections[source].name
    record.moveSection(from: source, to: destination, in: &storage)
    return conclude([.moveSection(name, from: source, to: destination)])
  }

  /// Deletes a section with its rows; the revision reports the deletions of the rows first.
  ///
  /// The last section and a section with a row that is not editable cannot be deleted. O(rows of
  /// the section).
  public mutating func deleteSection(_ section: Int) throws(BoardError) -> Revision? {
    try storage.checkSection(.section, section)
    guard sectionCount > 1 else { throw .lastSection }
    for run in storage.runs(ofSection: section) {
      if let locked = run.first(where: { !$0.isEditable }) { throw .notEditable(locked.row) }
    }
    let changes = deletion(ofSection: section)
    record.removeSection(at: section, in: &storage)
    return conclude(changes)
  }

  /// Returns the deletions of a section and its rows, the last row first; nil if they exceed the
  /// maximum number of changes.
  private func deletion(ofSection section: Int) -> [Change]? {
    guard storage.sections[section].rowCount < Revision.maxChanges else { return nil }
    let rows = storage.entries(inSection: section, 0..<storage.sections[section].rowCount)
    return [RowRun(rows, at: IndexPath(section: section, row: 0))].deletions
      + [.deleteSection(storage.sections[section].name, at: section)]
  }
}
