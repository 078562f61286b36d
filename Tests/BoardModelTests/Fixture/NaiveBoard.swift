import BoardModel

/// An oracle for the board: it applies the rules to plain arrays in the simplest way.
struct NaiveBoard: Equatable {
  var revision: UInt64 = 1
  var names = ["main"]
  var rows: [[RowID]] = [[]]
  /// The flags of rows that differ from the flags of a new row.
  var changed: [RowID: RowFlags] = [:]

  var snapshot: Snapshot {
    let sections = zip(names, rows).map { SnapshotSection(name: $0, rows: $1) }
    return Snapshot(revision: revision, sections: sections)
  }

  var all: [RowID] { rows.flatMap(\.self) }

  func flags(of row: RowID) -> RowFlags { RowFlags.initial.symmetricDifference(changed[row] ?? []) }

  func path(of row: RowID) -> IndexPath? {
    for (section, list) in rows.enumerated() {
      if let index = list.firstIndex(of: row) { return IndexPath(section: section, row: index) }
    }
    return nil
  }

  mutating func perform(_ edit: Edit) throws(BoardError) -> Bool {
    var changed = self
    try changed.apply(edit)
    guard changed != self else {
      if case .reload = edit {} else { return false }
      self.revision += 1
      return true
    }
    changed.revision += 1
    self = changed
    return true
  }

  private mutating func apply(_ edit: Edit) throws(BoardError) {
    switch edit {
    case .insert(let new, let path, let maxRows): try insert(new, at: path, maxRows: maxRows)
    case .move(let source, let destination): try move(from: source, to: destination)
    case .moveItems(let list, let section, let row): try move(list, to: section, row)
    case .delete(let list): try delete(list)
    case .deleteAt(let path): try delete([row(at: path, .section, .row)])
    case .clear:
      remove { [changed] in (changed[$0] ?? []).isDisjoint(with: [.isEditable, .isPinned]) }
    case .reload(let row): try require([row], .isEditable)
    case .setFlags(let flags, let isSet, let row): try setFlags(flags, isSet, of: row)
    case .insertSection(let name, let index, let most):
      try insertSection(name, at: index, maxSections: most)
    case .renameSection(let section, let name): try renameSection(section, to: name)
    case .moveSection(let source, let destination): try moveSection(source, destination)
    case .deleteSection(let section): try deleteSection(section)
    case .arrange(let sections):
      names = sections.map(\.name)
      rows = sections.map(\.rows)
    case .arrangeSection(let section, let list): rows[section] = list
    }
  }
}

// MARK: Rows

extension NaiveBoard {
  private mutating func insert(
    _ new: [RowID], at path: IndexPath, maxRows: Int
  ) throws(BoardError) {
    try requireDistinct(new)
    for row in new where all.contains(row) { throw .duplicateRow(row) }
    try require(.section, path.section, in: rows.count)
    try require(.row, path.row, in: rows[path.section].count + 1)
    if !new.isEmpty, all.count + new.count > maxRows {
      throw .limitExceeded(.rows, limit: maxRows)
    }
    rows[path.section].insert(contentsOf: new, at: path.row)
  }

  private mutating func move(
    from source: IndexPath, to destination: IndexPath
  ) throws(BoardError) {
    let row = try row(at: source, .fromSection, .fromRow)
    try require(.toSection, destination.section, in: rows.count)
    let others = rows[destination.section].filter { $0 != row }
    try require(.toRow, destination.row, in: others.count + 1)
    try require([row], .isMovable)
    rows[source.section].remove(at: source.row)
    rows[destination.section].insert(row, at: destination.row)
  }

  private mutating func move(
    _ list: [RowID], to section: Int, _ row: Int?
  ) throws(BoardError) {
    try requireDistinct(list)
    for row in list where path(of: row) == nil { throw .noSuchRow(row) }
    try require(.section, section, in: rows.count)
    let others = rows[section].filter { !list.contains($0) }
    try require(.row, row ?? others.count, in: others.count + 1)
    try require(list, .isMovable)
    remove(where: list.contains)
    rows[section].insert(contentsOf: list, at: row ?? others.count)
  }

  private mutating func delete(_ list: [RowID]) throws(BoardError) {
    try requireDistinct(list)
    try require(list, .isEditable)
    remove(where: list.contains)
  }

  private mutating func remove(where isDoomed: (RowID) -> Bool) {
    rows = rows.map { $0.filter { !isDoomed($0) } }
  }

  private mutating func setFlags(
    _ flags: RowFlags, _ isSet: Bool, of row: RowID
  ) throws(BoardError) {
    try require([row], [])
    let now = self.flags(of: row)
    let next = (isSet ? now.union(flags) : now.subtracting(flags)).symmetricDifference(.initial)
    changed[row] = next.isEmpty ? nil : next
  }
}

// MARK: Sections

extension NaiveBoard {
  private mutating func insertSection(
    _ name: String, at index: Int?, maxSections: Int
  ) throws(BoardError) {
    try require(.section, index ?? names.count, in: names.count + 1)
    if names.contains(name) { throw .sectionExists(name) }
    if names.count >= maxSections { throw .limitExceeded(.sections, limit: maxSections) }
    names.insert(name, at: index ?? names.count)
    rows.insert([], at: index ?? rows.count)
  }

  private mutating func renameSection(_ section: Int, to name: String) throws(BoardError) {
    try require(.section, section, in: names.count)
    if names[section] != name, names.contains(name) { throw .sectionExists(name) }
    names[section] = name
  }

  private mutating func moveSection(_ source: Int, _ destination: Int) throws(BoardError) {
    try require(.fromSection, source, in: names.count)
    try require(.toSection, destination, in: names.count)
    names.insert(names.remove(at: source), at: destination)
    rows.insert(rows.remove(at: source), at: destination)
  }

  private mutating func deleteSection(_ section: Int) throws(BoardError) {
    try require(.section, section, in: names.count)
    if names.count == 1 { throw .lastSection }
    try require(rows[section], .isEditable)
    names.remove(at: section)
    rows.remove(at: section)
  }
}

// MARK: Checks

extension NaiveBoard {
  private func require(
    _ argument: IndexArgument, _ given: Int, in count: Int
  ) throws(BoardError) {
    if given >= 0, given < count { return }
    throw .indexOutOfRange(argument, given: given, valid: count == 0 ? nil : 0...count - 1)
  }

  private func requireDistinct(_ list: [RowID]) throws(BoardError) {
    for (index, row) in list.enumerated() where list[..<index].contains(row) {
      throw .duplicateRow(row)
    }
  }

  private func require(_ list: [RowID], _ flag: RowFlags) throws(BoardError) {
    for row in list where path(of: row) == nil { throw .noSuchRow(row) }
    for row in list where !flags(of: row).isSuperset(of: flag) {
      throw flag == .isEditable ? .notEditable(row) : .notMovable(row)
    }
  }

  private func row(
    at path: IndexPath, _ section: IndexArgument, _ row: IndexArgument
  ) throws(BoardError) -> RowID {
    try require(section, path.section, in: rows.count)
    try require(row, path.row, in: rows[path.section].count)
    return rows[path.section][path.row]
  }
}
