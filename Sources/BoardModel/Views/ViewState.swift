/// The edit mode and the selection of one client on a board, and the anchor of a reselection.
///
/// The state must follow every revision of its board. The *anchor* is the topmost selected row. If
/// this row is deleted, or if edit mode clears the selection, the row remains the anchor until the
/// next selection. A reselection selects the anchor. If the anchor was deleted, it selects the
/// first of these rows that exists: the row now at the anchor's position, the last row of the
/// section, the first row of the next section that has rows, the last row of the nearest section
/// before that has rows.
public struct ViewState: Hashable, Sendable {
  /// Whether the view is in edit mode, in which nothing can be selected.
  public private(set) var isEditing = false

  /// Whether more than one row can be selected.
  public private(set) var allowsMultipleSelection = false

  /// The selected rows, in the order of the call.
  public private(set) var selection: [RowID] = []

  private var selected = RowSet()

  /// The topmost selected row, or the row that was topmost until it was deleted.
  private var anchor: Anchor?

  private var pendingAnchor: Anchor?

  /// Creates the state of a new view: nothing is selected.
  public init() {}
}

// MARK: Edit mode and selection

extension ViewState {
  /// Enters or leaves edit mode.
  ///
  /// Entering edit mode clears the selection; leaving it selects nothing.
  public mutating func setEditing(_ isEditing: Bool) {
    guard isEditing != self.isEditing else { return }
    self.isEditing = isEditing
    if isEditing { setSelection([]) }
  }

  /// Allows one or several selected rows.
  ///
  /// If only one is allowed, the topmost selected row remains.
  public mutating func setAllowsMultipleSelection(_ allows: Bool, on board: Board) {
    allowsMultipleSelection = allows
    guard !allows, selection.count > 1, let topmost = topmost(on: board) else { return }
    setSelection([topmost.row])
  }

  /// Replaces the selection; each row occurs once.
  ///
  /// Clears the pending row. An empty list clears the anchor. O(rows).
  public mutating func select(_ rows: [RowID], on board: Board) throws(ViewError) {
    do throws(BoardError) {
      try rows.checkDistinct()
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

  /// Replaces the selection by the row at a path.
  public mutating func selectRow(at path: IndexPath, on board: Board) throws(ViewError) {
    do throws(BoardError) {
      try board.storage.checkRow(path, section: .section, row: .row)
    } catch { throw .refused(error) }
    guard !isEditing else { throw .editing }
    select(
      board.row(at: path).map { [$0] } ?? [],
      anchor: board.row(at: path).map { Anchor($0, at: path) })
  }

  /// Clears the selection, the anchor and the pending row.
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
  /// Returns the row that `commit` would select; nil if there is none.
  ///
  /// The pending row follows later edits in the same way as the anchor.
  public func pending(on board: Board) -> RowID? { pendingAnchor?.nearest(on: board) }

  /// Determines the row that a reselection would select, and stores it as pending.
  ///
  /// If there is no anchor or no row on the board, no row becomes pending.
  @discardableResult
  public mutating func setReselect(on board: Board) -> RowID? {
    let row = anchor?.nearest(on: board)
    pendingAnchor = row.flatMap { Anchor($0, on: board) }
    return row
  }

  /// Selects the pending row and returns it; the row is no longer pending.
  ///
  /// Without a pending row nothing changes. Throws in edit mode; the row remains pending.
  @discardableResult
  public mutating func commit(on board: Board) throws(ViewError) -> RowID? {
    guard !isEditing else { throw .editing }
    guard let row = pending(on: board) else { return nil }
    select([row], anchor: Anchor(row, on: board))
    return row
  }

  /// Determines the row to reselect, selects it, and returns it; nil if there is none.
  ///
  /// Throws in edit mode; the row that `commit` would select remains pending.
  @discardableResult
  public mutating func reselect(on board: Board) throws(ViewError) -> RowID? {
    guard !isEditing else { throw .editing }
    setReselect(on: board)
    return try commit(on: board)
  }
}

// MARK: Following

extension ViewState {
  /// Adjusts the state to a revision; `board` is the board after it.
  ///
  /// Deleted rows leave the selection. O(changes); if selected rows have moved or were deleted,
  /// also O(selected rows).
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

  /// Returns whether the change may make another selected row the topmost one.
  private func mayReorder(_ change: Change) -> Bool {
    switch change {
    case .move(let row, _, _): selected.contains(row)
    case .moveSection, .reset: true
    case .insert, .delete, .reload, .insertSection, .deleteSection, .renameSection: false
    }
  }
}

extension ViewState {
  /// If more rows than this are selected, a search from the top of the board is faster.
  private static let manyRows = 1_000

  /// Returns the selected row that comes first on the board.
  private func topmost(on board: Board) -> Anchor? {
    guard selection.count <= Self.manyRows else { return Anchor(atFirstOf: selected, on: board) }
    let paths = board.storage.indexPaths(of: selection)
    return zip(paths, selection).min { $0.0 < $1.0 }.map { Anchor($1, at: $0) }
  }
}
