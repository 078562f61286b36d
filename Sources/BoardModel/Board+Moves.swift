// Moves of rows.

extension Board {
  /// Moves the row at `source` to `destination`, a path of the board without the row.
  ///
  /// In the section of the row, the index is at most the number of rows minus one; in another
  /// section, at most the number of rows.
  public mutating func move(
    from source: IndexPath, to destination: IndexPath
  ) throws(BoardError) -> Revision? {
    try checkPaths(ofMoveFrom: source, to: destination)
    let entry = storage.entry(at: source)
    guard entry.isMovable else { throw .notMovable(entry.row) }
    guard source != destination else { return nil }
    _ = record.move(from: source, to: destination, in: &storage)
    return conclude([.move(entry.row, from: source, to: destination)])
  }

  /// Checks that the board has the row and the destination of a move.
  public func checkPaths(
    ofMoveFrom source: IndexPath, to destination: IndexPath
  ) throws(BoardError) {
    try storage.checkRow(source, section: .fromSection, row: .fromRow)
    try storage.checkSection(.toSection, destination.section)
    let rowCount = storage.sections[destination.section].rowCount
    let isWithin = source.section == destination.section
    try IndexArgument.toRow.check(
      destination.row, isIn: 0..<(isWithin ? rowCount : rowCount + 1))
  }

  /// Moves rows of any sections to one position, in the given order.
  ///
  /// - Parameters:
  ///   - rows: The rows; each occurs once.
  ///   - section: The index of the destination section.
  ///   - row: The index of the first row, counted without the rows to move; nil means the end.
  ///   - changed: The rows in the list whose content has changed.
  /// - Returns: A revision with the minimal number of moves; it moves no other row.
  /// - Throws: `BoardError` if the board refuses the move; nothing has changed then.
  /// - Complexity: O(rows of the list × blocks).
  public mutating func move(
    _ rows: [RowID], toSection section: Int, row: Int?, reloading changed: [RowID] = []
  ) throws(BoardError) -> Revision? {
    let destination = try checkMove(rows, toSection: section, row: row, reloading: changed)
    let (entries, paths) = (try storage.entries(of: rows), storage.indexPaths(of: rows))
    if rows.count == 1, changed.isEmpty { return try move(from: paths[0], to: destination) }
    let group = GroupMove(of: entries, at: paths, to: destination)
    guard group.moveCount > 0 || !changed.isEmpty else { return nil }
    let moves = group.perform(on: &storage, recording: &record)
    // The undo step performs the recorded operations in reverse. So it names the rows of `changed`
    // in their order.
    for row in changed.reversed() { record.noteOtherContent(of: row) }
    let reloads = zip(changed, storage.indexPaths(of: changed)).map { Change.reload($0, at: $1) }
    return conclude(moves.map { $0 + reloads })
  }

  /// Checks the arguments of `move`, and returns the destination of the first row.
  @discardableResult
  public func checkMove(
    _ rows: [RowID], toSection section: Int, row: Int?, reloading changed: [RowID] = []
  ) throws(BoardError) -> IndexPath {
    let destination = try pathOfMove(of: rows, toSection: section, row: row)
    let entries = try storage.entries(of: rows)
    if let locked = entries.first(where: { !$0.isMovable }) { throw .notMovable(locked.row) }
    if let locked = try storage.entries(of: changed).first(where: { !$0.isEditable }) {
      throw .notEditable(locked.row)
    }
    return destination
  }

  /// Returns the destination of the first row of a move; `row` is nil for the end of the section.
  ///
  /// - Throws: `BoardError` if the board does not have the rows or the destination.
  public func pathOfMove(
    of rows: [RowID], toSection section: Int, row: Int?
  ) throws(BoardError) -> IndexPath {
    try rows.checkDistinct()
    _ = try storage.entries(of: rows)
    try storage.checkSection(.section, section)
    let own = storage.indexPaths(of: rows).lazy.filter { $0.section == section }.count
    let end = storage.sections[section].rowCount - own
    try IndexArgument.row.check(row ?? end, isIn: 0..<end + 1)
    return IndexPath(section: section, row: row ?? end)
  }
}
