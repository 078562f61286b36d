import BoardModel

/// An oracle for the view: it applies the rules in the simplest way.
struct NaiveView {
  var isEditing = false
  var allowsMultiple = false
  private(set) var selection: [RowID] = []
  private(set) var pending: MarkedRow?
  private var anchor: MarkedRow?

  mutating func setEditing(_ isEditing: Bool) {
    if isEditing, !self.isEditing { selection = [] }
    self.isEditing = isEditing
  }

  mutating func setAllowsMultiple(_ allows: Bool, _ board: NaiveBoard) {
    allowsMultiple = allows
    if !allows, selection.count > 1 { selection = [topmost(board)].compactMap(\.self) }
  }

  mutating func select(_ rows: [RowID], _ board: NaiveBoard) {
    guard !isEditing, Set(rows).count == rows.count, rows.allSatisfy(board.all.contains),
      rows.count <= 1 || allowsMultiple
    else { return }
    selection = rows
    pending = nil
    anchor = topmost(board).map { MarkedRow($0, board) }
  }

  mutating func deselect() {
    (selection, pending, anchor) = ([], nil, nil)
  }

  mutating func setReselect(_ board: NaiveBoard) -> RowID? {
    let row = anchor?.nearest
    pending = row.map { MarkedRow($0, board) }
    return row
  }

  mutating func commit(_ board: NaiveBoard) -> RowID? {
    guard !isEditing, let row = pending?.nearest else { return nil }
    select([row], board)
    return row
  }

  mutating func reselect(_ board: NaiveBoard) -> RowID? {
    guard !isEditing else { return nil }
    _ = setReselect(board)
    return commit(board)
  }

  mutating func follow(_ revision: Revision, to board: NaiveBoard) {
    // If the anchor's row is selected before and after the changes, the topmost selected row
    // becomes the anchor.
    let isOnTop = anchor.map { selection.contains($0.row) } ?? false
    for change in revision.changes {
      anchor?.apply(change)
      pending?.apply(change)
    }
    selection = selection.filter(board.all.contains)
    if isOnTop, let row = anchor?.row, selection.contains(row) {
      anchor = topmost(board).map { MarkedRow($0, board) }
    }
  }

  private func topmost(_ board: NaiveBoard) -> RowID? {
    board.all.first(where: selection.contains)
  }
}

/// A row of a board in which a marker replaces each deleted row.
struct MarkedRow {
  let row: RowID

  /// The rows of each section.
  ///
  /// A nil row marks the position of the deleted row; a nil section marks it between two sections.
  private var sections: [[RowID?]?]

  init(_ row: RowID, _ board: NaiveBoard) {
    self.row = row
    sections = board.rows.map { $0.map(\.self) }
  }

  /// The row itself; if it was deleted, the row that replaces it.
  var nearest: RowID? {
    if sections.contains(where: { $0?.contains(row) == true }) { return row }
    let index = sections.firstIndex { $0 == nil || $0?.contains(nil) == true } ?? 0
    let own = sections[index] ?? []
    let marker = own.firstIndex(of: nil) ?? own.endIndex
    let inSection = own[marker...].compactMap(\.self).first ?? own.compactMap(\.self).last
    let after = sections[(index + 1)...].compactMap { $0?.first ?? nil }.first
    let before = sections[..<index].compactMap { $0?.last ?? nil }.last
    return inSection ?? after ?? before
  }

  mutating func apply(_ change: Change) {
    switch change {
    case .insert(let row, let path):
      if row == self.row { removeMarker() }
      put(row, at: path)
    case .delete(let row, _): take(row, leaving: row == self.row ? [nil] : [])
    case .move(let row, _, let path):
      take(row, leaving: [])
      put(row, at: path)
    case .insertSection(_, let index): sections.insert([], at: place(ofSection: index))
    case .deleteSection(_, let index):
      let isMarked = sections[realIndex(index)]?.contains(nil) == true
      sections[realIndex(index)] = nil
      if !isMarked { sections.remove(at: realIndexOfGap(index)) }
    case .moveSection(_, let source, let destination):
      let section = sections.remove(at: realIndex(source))
      sections.insert(section, at: place(ofSection: destination))
    case .reload, .renameSection, .reset: break
    }
  }

  private mutating func removeMarker() {
    sections.removeAll { $0 == nil }
    sections = sections.map { $0.map { $0.filter { $0 != nil } } }
  }

  private mutating func take(_ row: RowID, leaving rest: [RowID?]) {
    sections = sections.map { $0.map { $0.flatMap { $0 == row ? rest : [$0] } } }
  }

  /// Puts a row directly after its predecessor.
  private mutating func put(_ row: RowID, at path: IndexPath) {
    var section = sections[realIndex(path.section)] ?? []
    var index = 0
    for _ in 0..<path.row { index = 1 + (section[index...].firstIndex { $0 != nil } ?? index) }
    section.insert(row, at: index)
    sections[realIndex(path.section)] = section
  }

  /// Returns the index of a section, with the markers counted.
  private func realIndex(_ section: Int) -> Int {
    sections.indices.filter { sections[$0] != nil }[section]
  }

  private func realIndexOfGap(_ section: Int) -> Int {
    section == 0 ? 0 : realIndex(section - 1) + 1
  }

  /// Returns the position directly after the preceding section.
  private func place(ofSection index: Int) -> Int { realIndexOfGap(index) }
}
