// The move-row path.

extension Board {
  /// Takes the row at `source` out and puts it in again, so that it then stands at `destination`.
  ///
  /// In the row's own section that is 0 to the number of rows less one, in another 0 to the number
  /// of rows.
  public mutating func move(
    from source: IndexPath, to destination: IndexPath
  ) throws(BoardError) -> Revision? {
    try checkRow(source, section: .fromSection, row: .fromRow)
    try checkSection(.toSection, destination.section)
    let rowCount = storage.sections[destination.section].rowCount
    let isWithin = source.section == destination.section
    try check(.toRow, destination.row, isIn: 0..<(isWithin ? rowCount : rowCount + 1))
    let entry = storage.entry(at: source)
    guard entry.isMovable else { throw .notMovable(entry.row) }
    guard source != destination else { return nil }
    return conclude([relocate(from: source, to: destination)])
  }

  /// Takes rows out and puts them back together, in the order given.
  ///
  /// They come from any sections. `row` is where the first of them is to stand, in the section
  /// without any of them; nil is its end. The revision tells as few moves as there can be, and none
  /// of a row that is not in the list. O(rows of the list × blocks).
  public mutating func move(
    _ rows: [RowID], toSection section: Int, row: Int?
  ) throws(BoardError) -> Revision? {
    try checkDistinct(rows)
    let entries = try entries(of: rows)
    try checkSection(.section, section)
    let paths = storage.indexPaths(of: rows)
    let own = paths.lazy.filter { $0.section == section }.count
    let end = storage.sections[section].rowCount - own
    try check(.row, row ?? end, isIn: 0..<end + 1)
    if let locked = entries.first(where: { !$0.isMovable }) { throw .notMovable(locked.row) }
    let destination = IndexPath(section: section, row: row ?? end)
    if rows.count == 1 { return try move(from: paths[0], to: destination) }
    let staying = staying(paths, at: destination)
    guard staying.count < rows.count else { return nil }
    return rows.count - staying.count > Revision.mostChanges
      ? moveAtOnce(entries, to: destination)
      : moveOneByOne(rows, keeping: staying, paths: paths, to: destination)
  }

  /// Which of the rows, by their offsets in the list, need not move: they stand between those that
  /// are to be their neighbours, and in order.
  private func staying(_ paths: [IndexPath], at destination: IndexPath) -> Set<Int> {
    let own = paths.indices.filter { paths[$0].section == destination.section }
      .sorted { paths[$0].row < paths[$1].row }
    let between = own.enumerated().filter { passed, offset in
      paths[offset].row - passed == destination.row
    }.map(\.element)
    return Set(longestIncreasingSubsequence(of: between).map { between[$0] })
  }

  private mutating func moveAtOnce(_ entries: [RowEntry], to destination: IndexPath) -> Revision {
    storage.lift(entries.map(\.row))
    storage.put(entries, at: destination)
    return conclude(nil)
  }

  /// Moves each row behind the one before it in the list, the first behind what is not in the list.
  private mutating func moveOneByOne(
    _ rows: [RowID], keeping staying: Set<Int>, paths: [IndexPath], to destination: IndexPath
  ) -> Revision {
    var before = neighbour(before: destination, without: paths)
    var changes: [Change] = []
    changes.reserveCapacity(rows.count - staying.count)
    for (offset, row) in rows.enumerated() {
      if !staying.contains(offset), let source = indexPath(of: row) {
        var target = IndexPath(section: destination.section, row: 0)
        if let before, let place = indexPath(of: before) {
          target.row = source.section == place.section && source < place ? place.row : place.row + 1
        }
        changes.append(relocate(from: source, to: target))
      }
      before = row
    }
    return conclude(changes)
  }

  /// The row that is to stand right before the moved ones: it is none of them.
  private func neighbour(before destination: IndexPath, without paths: [IndexPath]) -> RowID? {
    guard destination.row > 0 else { return nil }
    var row = destination.row - 1
    let own = paths.lazy.filter { $0.section == destination.section }.map(\.row)
    for taken in own.sorted() where taken <= row { row += 1 }
    return storage.entry(at: IndexPath(section: destination.section, row: row)).row
  }

  private mutating func relocate(from source: IndexPath, to destination: IndexPath) -> Change {
    let entry = storage.move(from: source, to: destination)
    return .move(entry.row, from: source, to: destination)
  }
}
