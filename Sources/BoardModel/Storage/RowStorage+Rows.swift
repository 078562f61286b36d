extension RowStorage {
  /// Inserts new or removed rows; the first is at `path` afterwards.
  mutating func fill(_ rows: some Collection<RowEntry>, at path: IndexPath) {
    rowCount += rows.count
    let place = sections[path.section].blocks.insertionPosition(at: path.row)
    guard let (position, offset) = place else {
      return fill(path.section, 0..<0, with: Array(rows), .firstFull)
    }
    let slot = Int(sections[path.section].blocks.slots[position])
    if blocks[slot].rows.count + rows.count <= capacity {
      blocks.change(slot) { $0.insert(contentsOf: rows, at: offset) }
      sections[path.section].blocks.add(rows.count, at: position)
      index.assign(rows, to: slot)
    } else {
      let isAtEnd = path.row == sections[path.section].rowCount
      var whole = blocks[slot].rows
      whole.insert(contentsOf: rows, at: offset)
      let division: BlockDivision = isAtEnd ? .firstFull : path.row == 0 ? .lastFull : .even
      fill(path.section, position..<position + 1, with: whole, division)
    }
  }

  mutating func takeOut(at path: IndexPath) -> RowEntry {
    let (position, offset) = sections[path.section].blocks.place(of: path.row)
    let slot = Int(sections[path.section].blocks.slots[position])
    let entry = blocks.change(slot) { $0.remove(at: offset) }
    sections[path.section].blocks.add(-1, at: position)
    rowCount -= 1
    if blocks[slot].rows.count <= capacity / 4 {
      settle(path.section, around: position..<position + 1)
    }
    return entry
  }

  /// Removes the rows of a range of a section, at least one.
  mutating func takeOut(_ range: Range<Int>, inSection section: Int) -> [RowEntry] {
    let entries = entries(inSection: section, range)
    let first = sections[section].blocks.place(of: range.lowerBound)
    let last = sections[section].blocks.place(of: range.upperBound - 1)
    for position in first.position...last.position {
      let slot = Int(sections[section].blocks.slots[position])
      let start = position == first.position ? first.offset : 0
      let end = position == last.position ? last.offset + 1 : blocks[slot].rows.count
      blocks.change(slot) { $0.removeSubrange(start..<end) }
    }
    rowCount -= range.count
    settle(section, around: first.position..<last.position + 1)
    return entries
  }

  /// Removes rows, which must exist; returns them with their positions, in order.
  mutating func takeOut(_ rows: [RowID]) -> [RowRun] {
    let places = rows.compactMap(place(of:)).sorted()
    let starts = starts(of: places)
    var pieces: [[RowRun]] = []
    var touched: Set<SectionID> = []
    var rest = places[...]
    while let slot = rest.first?.slot {
      let end = rest.firstIndex { $0.slot != slot } ?? rest.endIndex
      let offsets = rest[..<end].lazy.map(\.offset)
      pieces.append(blocks[slot].runs(atOffsets: offsets, from: starts[pieces.count]))
      blocks.change(slot) { $0.remove(atOffsets: offsets) }
      touched.insert(blocks[slot].section)
      rest = rest[end...]
    }
    rowCount -= places.count
    for section in sections.indices where touched.contains(sections[section].id) {
      settle(section, around: sections[section].blocks.slots.indices)
    }
    return joined(pieces)
  }

  /// Returns the paths of the first rows of blocks, in the order of the blocks.
  private func starts(of places: [BlockPosition]) -> [IndexPath] {
    var slots: [Int] = []
    for place in places where place.slot != slots.last { slots.append(place.slot) }
    guard slots.count > 16 else { return slots.compactMap(start(ofBlock:)) }
    let starts = blockStarts()
    return slots.map { starts[$0] }
  }

  private func joined(_ pieces: [[RowRun]]) -> [RowRun] {
    let sorted = pieces.sorted { one, other in
      guard let one = one.first, let other = other.first else { return false }
      return one.path < other.path
    }
    return sorted.reduce(into: []) { runs, piece in
      for run in piece { runs.append(run.entries, at: run.path) }
    }
  }

  /// Removes all rows that satisfy a predicate; returns them with their positions, in order.
  mutating func takeOutAll(where isRemoved: (RowEntry) -> Bool) -> [RowRun] {
    var runs: [RowRun] = []
    for section in sections.indices {
      var start = IndexPath(section: section, row: 0)
      for slot in sections[section].blocks.slots.map(Int.init) {
        let rows = blocks[slot].rows
        let removed = rows.indices.filter { isRemoved(rows[$0]) }
        if !removed.isEmpty {
          for run in blocks[slot].runs(atOffsets: removed, from: start) {
            runs.append(run.entries, at: run.path)
          }
          blocks.change(slot) { $0.remove(atOffsets: removed) }
        }
        start.row += rows.count
      }
      settle(section, around: sections[section].blocks.slots.indices)
    }
    rowCount -= runs.rowCount
    return runs
  }

  /// Removes the index entries of rows that will not be inserted again.
  mutating func forget(_ rows: some Collection<RowEntry>) {
    index.remove(rows)
    removedRows.append(contentsOf: rows.lazy.map(\.row))
  }

  /// Changes the flags of a row; returns the old flags, or nil if the row does not exist.
  mutating func setFlags(_ flags: RowFlags, of row: RowID) -> RowFlags? {
    guard let place = place(of: row) else { return nil }
    return blocks.change(place.slot) { rows in
      defer { rows[place.offset] = RowEntry(row, flags: flags) }
      return rows[place.offset].flags
    }
  }
}
