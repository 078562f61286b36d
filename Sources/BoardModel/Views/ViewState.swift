/// One client's edit mode and selection on a board, and the row that a reselection comes back to.
///
/// A value, which has to follow every revision of its board. The *anchor* is the topmost row that is
/// selected; where it is deleted, or edit mode clears the selection, it stays the anchor until
/// something is selected. A reselection selects the anchor wherever it is or, where it is gone, the
/// row that now stands where it stood; else the last row of the section, the first one of the next
/// section that has rows, or the last one of the nearest section before.
public struct ViewState: Hashable, Sendable {
  /// Whether the view is in edit mode, in which nothing can be selected.
  public private(set) var isEditing = false

  /// Whether more than one row can be selected.
  public private(set) var allowsMultipleSelection = false

  /// The rows that are selected, in the order in which they were given.
  public private(set) var selection: [RowID] = []

  /// The same rows.
  private var selected = RowSet()

  /// Where rows are selected, the topmost of them, but for one that was so and has been deleted.
  private var anchor: Anchor?

  private var pendingAnchor: Anchor?

  /// Makes the state of a view that was just opened: nothing is selected.
  public init() {}
}

// MARK: Edit mode and selection

extension ViewState {
  /// Enters edit mode, which clears the selection, or leaves it, which selects nothing.
  public mutating func setEditing(_ isEditing: Bool) {
    guard isEditing != self.isEditing else { return }
    self.isEditing = isEditing
    if isEditing { setSelection([]) }
  }

  /// Lets several rows be selected, or one; then of several that are selected the topmost stays.
  public mutating func setAllowsMultipleSelection(_ allows: Bool, on board: Board) {
    allowsMultipleSelection = allows
    guard !allows, selection.count > 1, let topmost = topmost(on: board) else { return }
    setSelection([topmost.row])
  }

  /// Selects rows in the place of those that are; none of them is to be named twice.
  ///
  /// Drops what is pending. With an empty list the anchor is forgotten. O(rows).
  public mutating func select(_ rows: [RowID], on board: Board) throws(ViewError) {
    do throws(BoardError) {
      try board.checkDistinct(rows)
    } catch { throw .refused(error) }
    guard rows.count <= 1 || allowsMultipleSelection else { throw .severalRows(rows.count) }
    if let unknown = rows.first(where: { !board.contains($0) }) {
      throw .refused(.noSuchRow(unknown))
    }
    guard !isEditing else { throw .editing }
    setSelection(rows)
    anchor = topmost(on: board)
    pendingAnchor = nil
  }

  /// Selects the row that stands there in the place of those that are selected.
  public mutating func selectRow(at path: IndexPath, on board: Board) throws(ViewError) {
    do throws(BoardError) {
      try board.checkRow(path, section: .section, row: .row)
    } catch { throw .refused(error) }
    guard !isEditing else { throw .editing }
    select(
      board.row(at: path).map { [$0] } ?? [],
      anchor: board.row(at: path).map { Anchor($0, at: path) })
  }

  /// Selects nothing, and forgets the anchor and what is pending.
  public mutating func deselect() { select([], anchor: nil) }

  private mutating func select(_ rows: [RowID], anchor: Anchor?) {
    setSelection(rows)
    self.anchor = anchor
    pendingAnchor = nil
  }

  private mutating func setSelection(_ rows: [RowID]) {
    selection = rows
    selected = RowSet(rows)
  }
}

// MARK: Reselection

extension ViewState {
  /// The row that `commit` would select; nil where there is none.
  ///
  /// Once worked out, it is kept through later edits as the anchor is.
  public func pending(on board: Board) -> RowID? { pendingAnchor?.nearest(on: board) }

  /// Works out which row a reselection would select, and keeps it as pending; without an anchor, or
  /// rows, none.
  @discardableResult
  public mutating func setReselect(on board: Board) -> RowID? {
    let row = anchor?.nearest(on: board)
    pendingAnchor = row.flatMap { board.anchor($0) }
    return row
  }

  /// Selects the pending row, which is then pending no more; gives it.
  ///
  /// Without one nothing changes. In edit mode it is refused, and stays pending.
  @discardableResult
  public mutating func commit(on board: Board) throws(ViewError) -> RowID? {
    guard !isEditing else { throw .editing }
    guard let row = pending(on: board) else { return nil }
    select([row], anchor: board.anchor(row))
    return row
  }

  /// Works out the row anew and selects it; gives it, nil where there is none.
  ///
  /// Refused in edit mode; then what is pending stays so.
  @discardableResult
  public mutating func reselect(on board: Board) throws(ViewError) -> RowID? {
    guard !isEditing else { throw .editing }
    setReselect(on: board)
    return try commit(on: board)
  }
}

// MARK: Following

extension ViewState {
  /// Goes where the revision takes it; `board` is the board after it.
  ///
  /// Rows that are gone leave the selection. O(changes); where rows that are selected have moved,
  /// or some of them are gone, O(rows selected) besides.
  public mutating func follow(_ revision: Revision, on board: Board) {
    guard anchor != nil else { return }
    drop(revision, on: board)
    anchor?.follow(revision, on: board)
    pendingAnchor?.follow(revision, on: board)
    guard selection.count > 1, let anchor, selected.contains(anchor.row),
      revision.changes.contains(where: mayReorder)
    else { return }
    self.anchor = topmost(on: board)
  }

  private mutating func drop(_ revision: Revision, on board: Board) {
    guard !selection.isEmpty else { return }
    var dropped = false
    for change in revision.changes {
      if case .delete(let row, _) = change, selected.remove(row) { dropped = true }
    }
    if revision.changes == [.reset] {
      setSelection(selection.filter(board.contains))
    } else if dropped {
      selection.removeAll { !selected.contains($0) }
    }
  }

  /// Whether the change may put another of the selected rows on top.
  private func mayReorder(_ change: Change) -> Bool {
    switch change {
    case .move(let row, _, _): selected.contains(row)
    case .moveSection, .reset: true
    case .insert, .delete, .reload, .insertSection, .deleteSection, .renameSection: false
    }
  }
}

extension ViewState {
  /// With more rows selected than that, the topmost is soon met from above.
  private static let manyRows = 1_000

  /// The selected row that comes first in the board's order.
  private func topmost(on board: Board) -> Anchor? {
    guard selection.count <= Self.manyRows else { return board.firstRow(in: selected) }
    let paths = board.storage.indexPaths(of: selection)
    return zip(paths, selection).min { $0.0 < $1.0 }.map { Anchor($1, at: $0) }
  }
}

extension Board {
  fileprivate func firstRow(in rows: RowSet) -> Anchor? {
    for section in storage.sections.indices {
      var start = 0
      for slot in storage.sections[section].blocks.slots {
        let entries = storage.blocks[Int(slot)].rows
        if let offset = entries.firstIndex(where: { rows.contains($0.row) }) {
          return Anchor(
            entries[offset].row, at: IndexPath(section: section, row: start + offset))
        }
        start += entries.count
      }
    }
    return nil
  }

  fileprivate func anchor(_ row: RowID) -> Anchor? {
    indexPath(of: row).map { Anchor(row, at: $0) }
  }
}
