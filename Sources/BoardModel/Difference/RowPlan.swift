/// The rows to delete, to move and to leave, so that some sections get their wanted rows.
///
/// The common beginning and end of the old and the wanted rows are excluded first, so an edit at
/// one position of a large board examines few rows.
struct RowPlan {
  /// A section and its wanted rows.
  struct Task {
    /// The index of the section before the edit; nil if it is new.
    let old: Int?

    /// The index of the section while rows are moved.
    let index: Int

    let wanted: [RowID]
  }

  /// The rows of a section, and the wanted rows.
  struct Part {
    /// The index of the section before the edit; nil if it is new.
    let old: Int?

    /// The index of the section while rows are moved.
    let index: Int

    /// The number of rows at the beginning that are equal before and after the edit.
    let prefix: Int

    /// The rows between the equal rows at the beginning and at the end, as a range of `entries`.
    let rows: Range<Int>

    /// The rows that replace them, as a range of `targets`.
    let wanted: Range<Int>
  }

  /// The sections: old sections in their order, then new ones.
  private(set) var parts: [Part] = []

  /// The examined rows in their present order.
  private(set) var entries: [RowEntry] = []

  /// The wanted rows, as offsets in `entries`.
  private(set) var targets: [Int] = []

  /// For each offset in `entries`: whether the row is wanted.
  private(set) var isWanted: [Bool] = []

  /// For each offset in `entries`: whether the row is not moved.
  private(set) var stays: [Bool] = []

  /// The number of moved rows.
  private(set) var moveCount = 0

  /// Plans the moves for sections, the old ones in order.
  ///
  /// Each wanted row occurs once.
  ///
  /// - Throws: `noSuchRow` if a wanted row is in none of the sections.
  init(for tasks: [Task], of storage: RowStorage) throws(BoardError) {
    var wanted: [ArraySlice<RowID>] = []
    var wantedCount = 0
    for task in tasks {
      var (prefix, suffix) = (0, 0)
      let first = entries.count
      if let old = task.old {
        (prefix, suffix) = Self.commonEnds(of: old, task.wanted, in: storage)
        let end = storage.sections[old].rowCount - suffix
        entries += storage.entries(inSection: old, prefix..<end)
      }
      wanted.append(task.wanted[prefix..<task.wanted.count - suffix])
      let firstWanted = wantedCount
      wantedCount += wanted[wanted.count - 1].count
      parts.append(
        Part(
          old: task.old, index: task.index, prefix: prefix, rows: first..<entries.count,
          wanted: firstWanted..<wantedCount))
    }
    try find(wanted)
  }

  /// Returns the length of the common beginning, and the length of the common end of the rest.
  private static func commonEnds(
    of section: Int, _ rows: [RowID], in storage: RowStorage
  ) -> (prefix: Int, suffix: Int) {
    let runs = storage.runs(ofSection: section)
    let prefix = commonCount(runs, rows)
    let rest = min(rows.count, storage.sections[section].rowCount) - prefix
    let suffix = commonCount(runs.reversed().lazy.map { $0.reversed() }, rows.reversed())
    return (prefix, min(suffix, rest))
  }

  private static func commonCount(
    _ runs: some Sequence<some Sequence<RowEntry>>, _ rows: some Sequence<RowID>
  ) -> Int {
    var count = 0
    var rows = rows.makeIterator()
    for run in runs {
      for entry in run {
        guard entry.row == rows.next() else { return count }
        count += 1
      }
    }
    return count
  }

  private mutating func find(_ wanted: [ArraySlice<RowID>]) throws(BoardError) {
    var offsets = RowIndex()
    offsets.number(entries)
    isWanted = [Bool](repeating: false, count: entries.count)
    stays = isWanted
    for rows in wanted {
      let found = offsets.slots(of: rows)
      guard found.count == rows.count else {
        throw .noSuchRow(rows[rows.startIndex + found.count])
      }
      for offset in found { isWanted[offset] = true }
      targets += found
    }
  }

  /// Chooses the rows that are not moved: all rows that are not movable, and as many others as
  /// possible.
  ///
  /// O(n log n).
  mutating func chooseStaying() throws(BoardError) {
    moveCount = targets.count
    for part in parts {
      let own = try besideLocked(part)
      for index in longestIncreasingSubsequence(of: own) {
        stays[own[index]] = true
        moveCount -= 1
      }
    }
  }

  /// Returns the rows that are in a section before and after the edit, except rows that change
  /// places with a row that is not movable.
  ///
  /// Among the returned rows, any rows that are in order can stay together with all rows that are
  /// not movable.
  private func besideLocked(_ part: Part) throws(BoardError) -> [Int] {
    var own: [Int] = []
    var hasLocked = false
    for offset in targets[part.wanted] {
      let isLocked = !entries[offset].isMovable
      if part.rows.contains(offset) {
        own.append(offset)
        hasLocked = hasLocked || isLocked
      } else if isLocked {
        throw .notMovable(entries[offset].row)
      }
    }
    guard hasLocked else { return own }
    return try afterLocked(beforeLocked(own.reversed()).reversed())
  }

  /// Removes rows that change places with the next row that is not movable; `own` is in reverse
  /// order.
  private func beforeLocked(_ own: [Int]) throws(BoardError) -> [Int] {
    var next = Int.max
    var kept: [Int] = []
    for offset in own {
      let isLocked = !entries[offset].isMovable
      if offset < next { kept.append(offset) }
      guard isLocked else { continue }
      guard offset < next else { throw .notMovable(entries[offset].row) }
      next = offset
    }
    return kept
  }

  /// Removes rows that change places with the previous row that is not movable.
  private func afterLocked(_ own: [Int]) -> [Int] {
    var last = -1
    return own.filter { offset in
      defer { if !entries[offset].isMovable { last = offset } }
      return offset > last
    }
  }
}

// MARK: Deletions

extension RowPlan {
  /// Returns the rows to delete and their paths, the last first.
  func deletions() throws(BoardError) -> [(row: RowID, path: IndexPath)] {
    var deletions: [(row: RowID, path: IndexPath)] = []
    for part in parts.reversed() {
      for offset in part.rows.reversed() where !isWanted[offset] {
        guard entries[offset].isEditable else { throw .notEditable(entries[offset].row) }
        let row = part.prefix + offset - part.rows.lowerBound
        let path = IndexPath(section: part.old ?? 0, row: row)
        deletions.append((entries[offset].row, path))
      }
    }
    return deletions
  }
}
