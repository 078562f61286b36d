import DragboardClient
import ShelfModel

/// Commands for stacks of rows.
extension BoardPage {
  /// Forms a new stack of rows, at the position of the first row.
  func stack(_ items: [ItemID]) {
    guard items.count > 1 else { return }
    edit { [weak self] in
      guard let self, let place = items.first.flatMap(snapshot.position(of:)) else { return }
      try await board.stack(
        items, as: ItemAttributes.newStack(), inSection: place.section, at: place.row)
    }
  }

  /// Dissolves the stacks to which rows belong.
  func takeApart(stacksOf items: [ItemID]) {
    let list = surface.list
    let stacks = Set(items.compactMap(list.index(of:)).compactMap(list.stack(at:)))
    edit { [weak self] in
      for stack in stacks {
        guard let self, let place = snapshot.position(of: stack[0]) else { continue }
        try await board.stack(stack, as: "", inSection: place.section, at: place.row)
      }
    }
  }

  /// Returns whether the stack of a row is open; nil if the row is in no stack.
  func isOpenStack(of item: ItemID) -> Bool? {
    guard let index = surface.list.index(of: item), surface.list.stack(at: index) != nil else {
      return nil
    }
    return surface.list.items(at: index).count == 1
  }

  /// Opens or closes the stack of a row.
  func toggleStack(of item: ItemID) {
    guard let isOpen = isOpenStack(of: item) else { return }
    setOpen(!isOpen, stackOf: item)
  }

  /// Opens or closes the stack with the cursor.
  ///
  /// - Returns: whether the stack has changed.
  func setStackAtCursor(open: Bool) -> Bool {
    guard let item = surface.cursor, isOpenStack(of: item) == !open else { return false }
    setOpen(open, stackOf: item)
    return true
  }

  /// Begins a drag session of rows.
  ///
  /// The copies of stacked rows belong to new stacks.
  func beginDrag(of items: [ItemID]) async throws -> DragSession {
    let session = try await board.beginDrag(of: items, as: .shelf).session
    let new = stacks.ofCopies(items, makeName: ItemAttributes.newStack)
    for (index, stack) in new.enumerated() {
      if let stack { try await session.setStack(stack, ofItem: index) }
    }
    return session
  }
}
