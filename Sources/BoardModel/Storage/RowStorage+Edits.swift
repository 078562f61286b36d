// Every edit of the storage is one of these; each records what takes it back.

// MARK: Sections

extension RowStorage {
  /// Makes a section without rows.
  mutating func insertSection(named name: String, at index: Int) {
    lastSection += 1
    sections.insert(Section(id: SectionID(lastSection), name: name), at: index)
    unsaved.sections = true
    recorded.append(.deleteSection(at: index))
  }

  /// Gives the section another name.
  mutating func renameSection(at index: Int, to name: String) {
    recorded.append(.renameSection(to: sections[index].name, at: index))
    sections[index].name = name
    unsaved.sections = true
  }

  /// Takes the section out and puts it in at the other index.
  mutating func moveSection(from source: Int, to destination: Int) {
    sections.insert(sections.remove(at: source), at: destination)
    unsaved.sections = true
    recorded.append(.moveSection(from: destination, to: source))
  }

  /// Removes the section and its rows.
  mutating func removeSection(at index: Int) {
    if sections[index].rowCount > 0 {
      let entries = entries(inSection: index, 0..<sections[index].rowCount)
      recorded.append(.insert(entries, at: IndexPath(section: index, row: 0)))
    }
    let section = sections.remove(at: index)
    for slot in section.blocks.slots {
      forget(blocks[Int(slot)].rows)
      release(Int(slot))
    }
    rowCount -= section.rowCount
    unsaved.sections = true
    recorded.append(.insertSection(section.name, at: index))
  }
}

// MARK: Rows come, go and move

extension RowStorage {
  /// Puts new rows in, the first of which then stands at that place.
  mutating func insert(_ rows: some Collection<RowEntry>, at path: IndexPath) {
    guard !rows.isEmpty else { return }
    fill(rows, at: path)
    recorded.append(.delete(rows.count, at: path))
  }

  /// Removes one row for good.
  mutating func remove(at path: IndexPath) {
    let entry = takeOut(at: path)
    forget(CollectionOfOne(entry))
    recorded.append(.insert([entry], at: path))
  }

  /// Removes the rows of that range of a section for good.
  mutating func remove(_ range: Range<Int>, inSection section: Int) {
    let entries = takeOut(range, inSection: section)
    forget(entries)
    recorded.append(.insert(entries, at: IndexPath(section: section, row: range.lowerBound)))
  }

  /// Removes many rows, all of which are there, for good; gives them as they stood.
  mutating func remove(_ rows: [RowID]) -> [RowRun] {
    let runs = takeOut(rows)
    return forget(runs)
  }

  /// Removes every row that is so for good; gives them as they stood.
  mutating func removeAll(where isDoomed: (RowEntry) -> Bool) -> [RowRun] {
    let runs = takeOutAll(where: isDoomed)
    return forget(runs)
  }

  /// Takes a row out and puts it in, so that it then stands at `destination`.
  mutating func move(from source: IndexPath, to destination: IndexPath) -> RowEntry {
    let entry = takeOut(at: source)
    fill(CollectionOfOne(entry), at: destination)
    recorded.append(.move(from: destination, to: source))
    return entry
  }

  private mutating func forget(_ runs: [RowRun]) -> [RowRun] {
    for run in runs { forget(run.entries) }
    // They go back from the first to the last: what is recorded is done in reverse.
    recorded.append(contentsOf: runs.lazy.reversed().map { .insert($0.entries, at: $0.path) })
    return runs
  }
}

// MARK: Many rows move

extension RowStorage {
  /// Takes the rows of that range of a section out, to put them in elsewhere.
  @discardableResult
  mutating func lift(_ range: Range<Int>, inSection section: Int) -> [RowEntry] {
    guard !range.isEmpty else { return [] }
    let entries = takeOut(range, inSection: section)
    recorded.append(.put(entries, at: IndexPath(section: section, row: range.lowerBound)))
    return entries
  }

  /// Takes many rows out, all of which are there, to put them in elsewhere.
  mutating func lift(_ rows: [RowID]) {
    let runs = takeOut(rows)
    recorded.append(contentsOf: runs.lazy.reversed().map { .put($0.entries, at: $0.path) })
  }

  /// Puts rows in that were lifted, the first of which then stands at that place.
  mutating func put(_ rows: [RowEntry], at path: IndexPath) {
    guard !rows.isEmpty else { return }
    fill(rows, at: path)
    recorded.append(.lift(rows.count, at: path))
  }
}

// MARK: Rows change

extension RowStorage {
  /// Gives a row, which is there, other gates.
  mutating func setGates(_ gates: RowGates, of row: RowID) {
    guard let place = place(of: row) else { return }
    recorded.append(.setGates(blocks[place.slot].rows[place.offset].gates, of: row))
    blocks[place.slot].rows[place.offset] = RowEntry(row, gates: gates)
    touch(place.slot)
  }

  /// Notes that a row holds something else.
  mutating func noteOtherContent(of row: RowID) {
    recorded.append(.exchangeContent(of: row))
  }
}
