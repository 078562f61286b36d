/// A move of rows to one position, with the minimal number of moves.
struct GroupMove {
  private let entries: [RowEntry]
  private let paths: [IndexPath]
  private let destination: IndexPath

  /// The offsets of rows that need no move, because they are already at the destination, in order.
  private let staying: Set<Int>

  /// Creates the move of rows to `destination`, a path of the board without them.
  init(of entries: [RowEntry], at paths: [IndexPath], to destination: IndexPath) {
    (self.entries, self.paths, self.destination) = (entries, paths, destination)
    let own = paths.indices.filter { paths[$0].section == destination.section }
      .sorted { paths[$0].row < paths[$1].row }
    let between = own.enumerated().filter { passed, offset in
      paths[offset].row - passed == destination.row
    }.map(\.element)
    staying = Set(longestIncreasingSubsequence(of: between).map { between[$0] })
  }

  /// The number of rows to move.
  var moveCount: Int { entries.count - staying.count }

  /// Moves the rows; returns the changes, or nil if there are too many to report.
  func perform(on storage: inout RowStorage, recording record: inout UndoRecord) -> [Change]? {
    guard moveCount <= Revision.maxChanges else {
      record.lift(entries.map(\.row), of: &storage)
      record.put(entries, at: destination, in: &storage)
      return nil
    }
    // Each row moves behind its predecessor in the list; the first row moves behind a row that
    // stays.
    var before = neighbour(in: storage)
    var changes: [Change] = []
    changes.reserveCapacity(moveCount)
    for (offset, entry) in entries.enumerated() {
      if !staying.contains(offset), let source = storage.indexPath(of: entry.row) {
        var target = IndexPath(section: destination.section, row: 0)
        if let before, let place = storage.indexPath(of: before) {
          target.row = source.section == place.section && source < place ? place.row : place.row + 1
        }
        _ = record.move(from: source, to: target, in: &storage)
        changes.append(.move(entry.row, from: source, to: target))
      }
      before = entry.row
    }
    return changes
  }

  /// Returns the row before `destination` that is not moved.
  private func neighbour(in storage: RowStorage) -> RowID? {
    guard destination.row > 0 else { return nil }
    var row = destination.row - 1
    let own = paths.lazy.filter { $0.section == destination.section }.map(\.row)
    for taken in own.sorted() where taken <= row { row += 1 }
    return storage.entry(at: IndexPath(section: destination.section, row: row)).row
  }
}
