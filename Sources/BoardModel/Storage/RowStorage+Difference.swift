extension RowStorage {
  /// Returns whether both storages have the same sections with the same rows and flags.
  ///
  /// O(rows).
  func hasSameRows(as other: RowStorage) -> Bool {
    hasSameSections(as: other)
      && sections.indices.allSatisfy { section in
        sections[section].rowCount == other.sections[section].rowCount
          && runs(ofSection: section).joined().elementsEqual(
            other.runs(ofSection: section).joined())
      }
  }

  private func hasSameSections(as other: RowStorage) -> Bool {
    sections.map(\.name) == other.sections.map(\.name)
  }

  /// Returns the operations that turn this storage into another one, with as few rows as possible.
  ///
  /// Rows that stay in their order stay in place. All other rows are lifted, the last ones first, and
  /// the rows of `target` are put in their positions, the first ones first. O(rows), if most rows
  /// stay in their order.
  ///
  /// - Parameters:
  ///   - target: the other storage.
  ///   - moved: rows that are lifted in any case.
  /// - Returns: the operations; nil if the sections differ.
  func operations(
    to target: RowStorage, moving moved: RowSet = RowSet()
  ) -> [UndoStep.Operation]? {
    guard hasSameSections(as: target) else { return nil }
    let staying = rowsInOrder(of: target, except: moved)
    var puts: [RowRun] = []
    var flags: [UndoStep.Operation] = []
    for section in target.sections.indices {
      for (index, entry) in target.runs(ofSection: section).joined().enumerated() {
        if !staying.contains(entry.row) {
          puts.append([entry], at: IndexPath(section: section, row: index))
        } else if self.entry(of: entry.row) != entry {
          flags.append(.setFlags(entry.flags, of: entry.row))
        }
      }
    }
    var lifts: [RowRun] = []
    for section in sections.indices {
      for (index, entry) in runs(ofSection: section).joined().enumerated()
      where !staying.contains(entry.row) {
        lifts.append([entry], at: IndexPath(section: section, row: index))
      }
    }
    return flags + lifts.reversed().map { .lift($0.entries.count, at: $0.path) }
      + puts.map { .put($0.entries, at: $0.path) }
  }

  /// Returns the rows that have the same section and the same order in both storages.
  private func rowsInOrder(of target: RowStorage, except moved: RowSet) -> RowSet {
    let starts = blockStarts()
    var staying = RowSet()
    for section in target.sections.indices {
      var (rows, positions): ([RowID], [Int]) = ([], [])
      for entry in target.runs(ofSection: section).joined() {
        guard !moved.contains(entry.row), let place = place(of: entry.row),
          starts[place.slot].section == section
        else { continue }
        rows.append(entry.row)
        positions.append(starts[place.slot].row + place.offset)
      }
      for offset in longestIncreasingSubsequence(of: positions) { staying.insert(rows[offset]) }
    }
    return staying
  }
}

extension UndoStep {
  /// Returns whether the step changes contents, or the rows of a board that has the storage `before`
  /// without the step and `after` with it.
  func hasEffect(from before: RowStorage, to after: RowStorage) -> Bool {
    !rowsWithOtherContent.isEmpty || !before.hasSameRows(as: after)
  }
}
