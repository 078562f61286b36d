import BoardModel

extension SharedBoard {
  /// Makes the board equal to another board, and returns the edits that do this.
  ///
  /// The untouched rows must be equal, in the same sections and in the same order on both boards.
  /// O(touched rows × log rows), plus a copy if another value shares the board's storage.
  ///
  /// If `usesTemporaryNames` is true, a section may get a temporary name, for example if two sections
  /// exchange their names. Otherwise rows move to the section that has the name, and the board gets
  /// other keys of sections than `other`. Edits of the log must not use temporary names: if another
  /// machine makes an edit in between, the section could retain the name.
  public mutating func transform(
    into other: SharedBoard, touched: TouchedParts, usesTemporaryNames: Bool = true
  ) -> [SharedEdit] {
    var (other, touched) = (other, touched)
    if touched.sections, !usesTemporaryNames { identifySections(of: &other, &touched) }
    var transformation = Transformation(board: self, other: other)
    self = SharedBoard()
    if touched.sections { transformation.arrangeSections() }
    for key in touched.rows.sorted() where other[key] == nil { transformation.delete(key) }
    let present = touched.rows.compactMap { key in other.path(of: key).map { ($0, key) } }
    for (path, key) in present.sorted(by: { $0.0 < $1.0 }) { transformation.place(key, at: path) }
    if touched.sections { transformation.deleteSections() }
    self = transformation.board
    return transformation.edits
  }
}

extension SharedBoard {
  /// Exchanges keys of sections of another board, until it needs no temporary name.
  private func identifySections(of other: inout SharedBoard, _ touched: inout TouchedParts) {
    var names = zip(sections, sectionNames).map { (key: $0, name: $1) }
    let finalNames = other.sectionNames
    var keys = other.sections
    var exchanged: Set<SectionKey> = []
    while true {
      let wanted = Dictionary(uniqueKeysWithValues: zip(keys, finalNames))
      let wrong = names.indices.filter { names[$0].name != wanted[names[$0].key] }
      let free = wrong.first { index in
        guard let name = wanted[names[index].key] else { return false }
        return !names.contains { $0.name == name }
      }
      if let free, let name = wanted[names[free].key] {
        names[free].name = name
        continue
      }
      // Either the names form a cycle, or a section that will be deleted has the name.
      let positions = wrong.lazy.compactMap { index in
        finalNames.firstIndex(of: names[index].name).map { (index, $0) }
      }
      guard let (index, position) = positions.first else { break }
      let (key, old) = (names[index].key, keys[position])
      if let place = keys.firstIndex(of: key) { keys[place] = old }
      keys[position] = key
      exchanged.formUnion([key, old])
    }
    guard !exchanged.isEmpty else { return }
    other.identifySections(as: keys)
    for board in [self, other] {
      for (index, key) in board.sections.enumerated() where exchanged.contains(key) {
        touched.rows.formUnion(board.keys(inSection: index))
      }
    }
  }
}

/// The edits that make a board equal to another one.
private struct Transformation {
  var board: SharedBoard
  let other: SharedBoard
  var edits: [SharedEdit] = []

  init(board: SharedBoard, other: SharedBoard) { (self.board, self.other) = (board, other) }

  private mutating func perform(_ edit: SharedEdit) {
    board.apply(edit)
    edits.append(edit)
  }

  mutating func delete(_ key: RowKey) {
    if board[key] != nil { perform(.delete(key)) }
  }

  /// Moves a row to its final position and sets its value.
  ///
  /// The rows before it must be in their final positions.
  mutating func place(_ key: RowKey, at path: IndexPath) {
    let section = other.sections[path.section]
    guard let row = other[key], let index = board.index(of: section) else { return }
    let after =
      path.row == 0
      ? nil : other.key(at: IndexPath(section: path.section, row: path.row - 1))
    let next = after.flatMap(board.path(of:)).map { $0.row + 1 } ?? 0
    let before = board.key(at: IndexPath(section: index, row: next))
    let place = SharedEdit.Place(in: section, after: after, before: before)
    guard let old = board[key] else { return perform(.insert(key, row, at: place)) }
    if before != key { perform(.move(key, to: place)) }
    if old.flags != row.flags {
      perform(
        .setFlags(key, row.flags, changing: old.flags.symmetricDifference(row.flags)))
    }
    if old.name != row.name { perform(.setName(key, row.name)) }
    if old.stack != row.stack { perform(.setStack(key, row.stack)) }
    if old.representations != row.representations {
      perform(.setContents(key, row.representations))
    }
  }

  /// Inserts, renames and moves sections.
  ///
  /// Sections that the other board does not have are left at the end, until their rows are removed.
  mutating func arrangeSections() {
    renameSections()
    for (position, (key, name)) in zip(other.sections, other.sectionNames).enumerated() {
      let after = position == 0 ? nil : other.sections[position - 1]
      if let index = board.sections.firstIndex(of: key) {
        if index != position { perform(.moveSection(key, after: after)) }
      } else {
        perform(.insertSection(key, name, after: after))
      }
    }
  }

  /// Renames sections to their names on the other board.
  ///
  /// A section that will be deleted gets a temporary name if the other board needs its name.
  private mutating func renameSections() {
    let names = Dictionary(uniqueKeysWithValues: zip(other.sections, other.sectionNames))
    while true {
      let wrong = zip(board.sections, board.sectionNames).filter { names[$0] != $1 }
      if let (key, name) = wrong.lazy.compactMap({ key, _ in names[key].map { (key, $0) } })
        .first(where: { !board.sectionNames.contains($1) })
      {
        perform(.renameSection(key, name))
      } else if let (key, _) = wrong.first(where: { names.values.contains($1) }) {
        // Either the names form a cycle, or a section that will be deleted has the name.
        var name = "-\(key)"
        while board.sectionNames.contains(name) || names.values.contains(name) { name = "-" + name }
        perform(.renameSection(key, name))
      } else {
        return
      }
    }
  }

  mutating func deleteSections() {
    for key in board.sections where !other.sections.contains(key) { perform(.deleteSection(key)) }
  }
}
