import DragboardClient
import ShelfModel

/// What the keyboard and the menus have done to a board.
extension BoardPage {
  /// Goes to another row, and selects it; extending selects all rows from where the selection began.
  func go(_ step: BoardList.Step, extending: Bool) {
    let list = surface.list
    guard let index = list.index(step, from: surface.cursor), let item = list.item(at: index)
    else { return }
    if extending, let start = surface.extensionStart ?? surface.cursor {
      surface.extensionStart = start
      select(Set(list.range(from: start, to: item)))
    } else {
      surface.extensionStart = nil
      select([item])
    }
    surface.cursor = item
    surface.reveal(item)
  }

  /// Selects every row.
  func selectAll() {
    select(Set(surface.list.entries.indices.compactMap { surface.list.item(at: $0) }))
  }

  /// Moves the selected rows by one step.
  func moveSelection(down isDown: Bool) {
    let items = surface.selection
    edit { [weak self] in
      // The board as the moves before have left it.
      guard let self, let place = snapshot.destination(ofMoving: items, down: isDown) else {
        return
      }
      try await board.move(
        snapshot.ordered(items), toSection: place.section, row: place.row)
      if let cursor = surface.cursor { surface.reveal(cursor) }
    }
  }

  /// Deletes the selected rows.
  func deleteSelection() { delete(surface.list.ordered(surface.selection)) }

  /// Takes the board's latest edit back.
  func undo() { edit { [board] in try await board.history.undo() } }

  /// Makes again what was taken back.
  func redo() { edit { [board] in try await board.history.redo() } }

  /// Gives a row another text.
  func setText(of item: ItemID, to text: String) {
    edit { [board] in try await board.setText(of: item, to: text) }
  }

  /// Puts what a drag session brings below the selected row; at the end where there is none.
  func put(_ session: SessionID) {
    guard isLive else { return }
    edit { [weak self] in try await self?.drop(session) }
  }

  /// Drops a session where `put` says.
  func drop(_ session: SessionID) async throws {
    let place = surface.cursor.flatMap(snapshot.position(of:))
    let result = try await board.dropTarget.perform(
      session, inSection: place?.section ?? 0, at: place.map { $0.row + 1 }, as: .shelf)
    guard result.operation.transfers else { return report("The board does not take this.") }
    select(Set(result.items))
  }

  /// Moves rows to the end of a section.
  func move(_ items: [ItemID], toSection section: Int) {
    edit { [board] in try await board.move(items, toSection: section) }
  }

  /// Pins rows, so that nobody can move them; where all of them are pinned, lets them go.
  func togglePins(of items: [ItemID]) {
    let isPinned = items.allSatisfy { rows[$0]?.isMovable == false }
    edit { [board] in for item in items { try await board.setMovable(isPinned, of: item) } }
  }

  /// Locks rows, so that nobody can change or delete them; where all of them are locked, unlocks them.
  func toggleLocks(of items: [ItemID]) {
    let isLocked = items.allSatisfy { rows[$0]?.isEditable == false }
    edit { [board] in for item in items { try await board.setEditable(isLocked, of: item) } }
  }
}
