import DragboardClient
import ShelfModel

/// The commands that the keyboard and the menus apply to a board.
extension BoardPage {
  /// Moves the cursor by a step, and selects the row with the cursor.
  ///
  /// - Parameters:
  ///   - step: the step.
  ///   - extending: whether to select all rows from the start of the selection to the cursor.
  func go(_ step: BoardList.KeyboardStep, extending: Bool) {
    let list = surface.list
    guard let index = list.index(step, from: surface.cursor), let item = list.item(at: index)
    else { return }
    if extending, let start = surface.extensionStart ?? surface.cursor {
      surface.extensionStart = start
      select(Set(list.range(from: start, to: item)))
    } else {
      surface.extensionStart = nil
      select(Set(list.items(at: index)))
    }
    surface.cursor = item
    surface.reveal(item)
  }

  /// The rows to which a command applies: the selected rows, or else the row with the cursor.
  var chosen: [ItemID] {
    let selected = surface.list.ordered(surface.selection)
    guard selected.isEmpty, let index = surface.cursor.flatMap(surface.list.index(of:)) else {
      return selected
    }
    return surface.list.items(at: index)
  }

  /// Opens the menu of the row with the cursor.
  func openMenuAtCursor() {
    guard let item = surface.cursor, let row = surface.row(of: item) else { return }
    openMenu(row, 24, row.widget.foot.y / 2)
  }

  /// Selects every row.
  func selectAll() {
    select(Set(surface.list.entries.indices.flatMap { surface.list.items(at: $0) }))
  }

  /// Moves the selected rows by one step.
  func moveSelection(down isDown: Bool) {
    let items = surface.selection
    edit { [weak self] in
      // Read the positions here, because the previous moves have been performed by now.
      guard let self,
        let place = snapshot.destination(ofMoving: items, down: isDown, stacks: stacks)
      else { return }
      try await board.move(
        snapshot.ordered(items), toSection: place.section, row: place.row)
      if let cursor = surface.cursor { surface.reveal(cursor) }
    }
  }

  /// Deletes the selected rows.
  func deleteSelection() { delete(surface.list.ordered(surface.selection)) }

  /// Undoes the board's latest edit; of a move between boards, also the other board's part.
  func undo() { edit { [weak self] in try await self?.perform(.undo) } }

  /// Redoes the latest undone edit; of a move between boards, also the other board's part.
  func redo() { edit { [weak self] in try await self?.perform(.redo) } }

  /// Performs a step through the history, and reports a part of a move that cannot be performed.
  func perform(_ step: BoardMoves.Direction) async throws {
    do { try await BoardMoves.perform(step, on: board) } catch let error as BoardMoves.HasChanged {
      let name = try await Board(error.board, on: board.connection).info().name
      let title = BoardTabs.title(of: name)
      report(
        step == .undo
          ? localized(
            "The move was not undone, because “%1” has changed since. Undo the changes there first.",
            title)
          : localized("The move was not redone, because “%1” has changed since.", title))
    }
  }

  /// Changes the text of a row.
  func setText(of item: ItemID, to text: String) {
    edit { [board] in try await board.setText(of: item, to: text) }
  }

  /// Inserts the items of a drag session below the selected row, or at the end without one.
  func put(_ session: SessionID) {
    guard isLive else { return }
    edit { [weak self] in _ = try await self?.drop(session) }
  }

  /// Drops a session below the selected row, or at the end without one.
  ///
  /// If the selected row is in a stack, the position is below the stack.
  ///
  /// - Returns: whether the board has accepted the items.
  func drop(_ session: SessionID) async throws -> Bool {
    let (list, last) = (surface.list, snapshot.ordered(surface.selection).last)
    let stack = last.flatMap(list.index(of:)).flatMap(list.stack(at:))
    let place = (stack?.last ?? last).flatMap(snapshot.position(of:))
    let result = try await board.dropTarget.perform(
      session, inSection: place?.section ?? 0, at: place.map { $0.row + 1 }, as: .shelf)
    guard result.operation != .cancel else { return false }
    guard result.operation.transfers else {
      report(localized("“%1” does not accept this content.", title))
      return false
    }
    select(Set(result.items))
    return true
  }

  /// Pins rows, so that they remain when the board is cleared.
  ///
  /// If all rows are pinned, unpins them.
  func togglePins(of items: [ItemID]) {
    let isPinned = items.allSatisfy { rows[$0]?.isPinned == true }
    edit { [board] in for item in items { try await board.setPinned(!isPinned, of: item) } }
  }

  /// Locks the positions of rows, so that they cannot be moved.
  ///
  /// If all positions are locked, unlocks them.
  func togglePositionLocks(of items: [ItemID]) {
    let isLocked = items.allSatisfy { rows[$0]?.isMovable == false }
    edit { [board] in for item in items { try await board.setMovable(isLocked, of: item) } }
  }

  /// Locks rows, so that they cannot be changed or deleted.
  ///
  /// If all rows are locked, unlocks them.
  func toggleLocks(of items: [ItemID]) {
    let isLocked = items.allSatisfy { rows[$0]?.isEditable == false }
    edit { [board] in for item in items { try await board.setEditable(isLocked, of: item) } }
  }
}
