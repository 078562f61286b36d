// MARK: Sections

extension RowStorage {
  /// Makes a section without rows.
  mutating func insertSection(named name: String, at index: Int) {
    lastSection += 1
    sections.insert(Section(id: SectionID(lastSection), name: name), at: index)
    unsaved.sections = true
  }

  /// Gives the section another name.
  mutating func renameSection(at index: Int, to name: String) {
    sections[index].name = name
    unsaved.sections = true
  }

  /// Takes the section out and puts it in at the other index.
  mutating func moveSection(from source: Int, to destination: Int) {
    sections.insert(sections.remove(at: source), at: destination)
    unsaved.sections = true
  }

  /// Removes the section and its rows.
  mutating func removeSection(at index: Int) {
    let section = sections.remove(at: index)
    for slot in section.blocks.slots {
      forget(blocks[Int(slot)].rows)
      release(Int(slot))
    }
    rowCount -= section.rowCount
    unsaved.sections = true
  }
}

// MARK: Rows

extension RowStorage {
  /// Puts rows in, the first of which then stands at that place.
  ///
  /// They may have been lifted before.
  mutating func insert(_ rows: some Collection<RowEntry>, at path: IndexPath) {
    guard !rows.isEmpty else { return }
    rowCount += rows.count
    let place = sections[path.section].blocks.placeForInsertion(at: path.row)
    guard let (position, offset) = place else {
      return fill(path.section, 0..<0, with: Array(rows), .firstFull)
    }
    let slot = Int(sections[path.section].blocks.slots[position])
    if blocks[slot].rows.count + rows.count <= capacity {
      blocks[slot].rows.insert(contentsOf: rows, at: offset)
      sections[path.section].blocks.add(rows.count, at: position)
      index.assign(rows, to: slot)
      touch(slot)
    } else {
      let isAtEnd = path.row == sections[path.section].rowCount
      var whole = blocks[slot].rows
      whole.insert(contentsOf: rows, at: offset)
      let division: Division = isAtEnd ? .firstFull : path.row == 0 ? .lastFull : .even
      fill(path.section, position..<position + 1, with: whole, division)
    }
  }

  /// Takes a row out to put it in elsewhere.
  mutating func lift(at path: IndexPath) -> RowEntry {
    let (position, offset) = sections[path.section].blocks.place(of: path.row)
    let slot = Int(sections[path.section].blocks.slots[position])
    let entry = blocks[slot].rows.remove(at: offset)
    sections[path.section].blocks.add(-1, at: position)
    rowCount -= 1
    touch(slot)
    if blocks[slot].rows.count <= capacity / 4 {
      settle(path.section, around: position..<position + 1)
    }
    return entry
  }

  /// Takes many rows out, all of which are there, to put them in elsewhere.
  mutating func lift(_ rows: [RowID]) {
    let places = rows.compactMap(place(of:)).sorted()
    var touched: Set<SectionID> = []
    var rest = places[...]
    while let slot = rest.first?.slot {
      let end = rest.firstIndex { $0.slot != slot } ?? rest.endIndex
      blocks[slot].remove(atOffsets: rest[..<end].lazy.map(\.offset))
      touched.insert(blocks[slot].section)
      touch(slot)
      rest = rest[end...]
    }
    rowCount -= places.count
    for section in sections.indices where touched.contains(sections[section].id) {
      settle(section, around: sections[section].blocks.slots.indices)
    }
  }

  /// Removes one row for good.
  mutating func remove(at path: IndexPath) {
    forget(CollectionOfOne(lift(at: path)))
  }

  /// Removes many rows, all of which are there, for good.
  mutating func remove(_ rows: [RowID]) {
    lift(rows)
    forget(rows.lazy.map { RowEntry($0) })
  }

  /// Removes every row that is so for good.
  mutating func removeAll(where isDoomed: (RowEntry) -> Bool) {
    for section in sections.indices {
      for slot in sections[section].blocks.slots.map(Int.init) {
        let doomed = blocks[slot].rows.filter(isDoomed)
        guard !doomed.isEmpty else { continue }
        blocks[slot].rows.removeAll(where: isDoomed)
        forget(doomed)
        rowCount -= doomed.count
        touch(slot)
      }
      settle(section, around: sections[section].blocks.slots.indices)
    }
  }

  /// Gives a row, which is there, other gates.
  mutating func setGates(_ gates: RowGates, of row: RowID) {
    guard let place = place(of: row) else { return }
    blocks[place.slot].rows[place.offset] = RowEntry(row, gates: gates)
    touch(place.slot)
  }

  /// Lets go of rows that are in no block any more.
  mutating func forget(_ rows: some Collection<RowEntry>) {
    index.remove(rows)
    unsaved.removedRows.append(contentsOf: rows.lazy.map(\.row))
  }
}
