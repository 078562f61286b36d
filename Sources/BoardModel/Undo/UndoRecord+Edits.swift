// The edits of a storage. Each edit records the operation that undoes it.

// MARK: Sections

extension UndoRecord {
  /// Inserts a section without rows.
  mutating func insertSection(named name: String, at index: Int, in storage: inout RowStorage) {
    storage.insertSection(named: name, at: index)
    append(.deleteSection(at: index))
  }

  mutating func renameSection(at index: Int, to name: String, in storage: inout RowStorage) {
    append(.renameSection(to: storage.sections[index].name, at: index))
    storage.renameSection(at: index, to: name)
  }

  mutating func moveSection(
    from source: Int, to destination: Int, in storage: inout RowStorage
  ) {
    storage.moveSection(from: source, to: destination)
    append(.moveSection(from: destination, to: source))
  }

  mutating func removeSection(at index: Int, in storage: inout RowStorage) {
    let rowCount = storage.sections[index].rowCount
    if rowCount > 0 {
      let entries = storage.entries(inSection: index, 0..<rowCount)
      append(.insert(entries, at: IndexPath(section: index, row: 0)))
    }
    append(.insertSection(storage.removeSection(at: index), at: index))
  }
}

// MARK: Rows

extension UndoRecord {
  /// Inserts new rows; the first is at `path` afterwards.
  mutating func insert(
    _ rows: some Collection<RowEntry>, at path: IndexPath, in storage: inout RowStorage
  ) {
    guard !rows.isEmpty else { return }
    storage.fill(rows, at: path)
    append(.delete(rows.count, at: path))
  }

  mutating func remove(at path: IndexPath, in storage: inout RowStorage) {
    let entry = storage.takeOut(at: path)
    storage.forget(CollectionOfOne(entry))
    append(.insert([entry], at: path))
  }

  mutating func remove(
    _ range: Range<Int>, inSection section: Int, of storage: inout RowStorage
  ) {
    let entries = storage.takeOut(range, inSection: section)
    storage.forget(entries)
    append(.insert(entries, at: IndexPath(section: section, row: range.lowerBound)))
  }

  /// Removes rows, which must exist; returns them with their positions.
  mutating func remove(_ rows: [RowID], in storage: inout RowStorage) -> [RowRun] {
    let runs = storage.takeOut(rows)
    return forget(runs, in: &storage)
  }

  /// Removes all rows that satisfy a predicate; returns them with their positions.
  mutating func removeAll(
    in storage: inout RowStorage, where isRemoved: (RowEntry) -> Bool
  ) -> [RowRun] {
    let runs = storage.takeOutAll(where: isRemoved)
    return forget(runs, in: &storage)
  }

  private mutating func forget(_ runs: [RowRun], in storage: inout RowStorage) -> [RowRun] {
    for run in runs { storage.forget(run.entries) }
    // Operations are performed in reverse order, so the first run is inserted first.
    append(contentsOf: runs.lazy.reversed().map { .insert($0.entries, at: $0.path) })
    return runs
  }

  /// Moves a row to `destination`, a path of the board without the row.
  mutating func move(
    from source: IndexPath, to destination: IndexPath, in storage: inout RowStorage
  ) -> RowEntry {
    let entry = storage.takeOut(at: source)
    storage.fill(CollectionOfOne(entry), at: destination)
    append(.move(from: destination, to: source))
    return entry
  }

  /// Changes the flags of a row, which must exist.
  mutating func setFlags(_ flags: RowFlags, of row: RowID, in storage: inout RowStorage) {
    guard let old = storage.setFlags(flags, of: row) else { return }
    append(.setFlags(old, of: row))
  }

  /// Records that the content of a row has changed.
  mutating func noteOtherContent(of row: RowID) { append(.exchangeContent(of: row)) }
}

// MARK: Moves of many rows

extension UndoRecord {
  /// Removes the rows of a range of a section, to insert them elsewhere.
  @discardableResult
  mutating func lift(
    _ range: Range<Int>, inSection section: Int, of storage: inout RowStorage
  ) -> [RowEntry] {
    guard !range.isEmpty else { return [] }
    let entries = storage.takeOut(range, inSection: section)
    append(.put(entries, at: IndexPath(section: section, row: range.lowerBound)))
    return entries
  }

  /// Removes rows, which must exist, to insert them elsewhere; returns them with their positions.
  @discardableResult
  mutating func lift(_ rows: [RowID], of storage: inout RowStorage) -> [RowRun] {
    let runs = storage.takeOut(rows)
    append(contentsOf: runs.lazy.reversed().map { .put($0.entries, at: $0.path) })
    return runs
  }

  /// Inserts rows that were lifted; the first is at `path` afterwards.
  mutating func put(_ rows: [RowEntry], at path: IndexPath, in storage: inout RowStorage) {
    guard !rows.isEmpty else { return }
    storage.fill(rows, at: path)
    append(.lift(rows.count, at: path))
  }
}
