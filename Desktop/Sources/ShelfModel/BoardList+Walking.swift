public import DragboardClient

/// Keyboard steps through the rows.
extension BoardList {
  /// A step of the keyboard.
  public enum KeyboardStep: Hashable, Sendable {
    /// A number of rows down; up if it is negative.
    case rows(Int)
    /// To the first row.
    case first
    /// To the last row.
    case last
  }

  /// Returns the index of the row after a step, skipping headers; nil if there is no row.
  ///
  /// A step beyond an end leads to the row at that end. Without a starting row, a step down leads
  /// to the first row, and a step up leads to the last row.
  public func index(_ step: KeyboardStep, from item: ItemID?) -> Int? {
    let rows = entries.indices.filter { self.item(at: $0) != nil }
    guard let last = rows.indices.last else { return nil }
    let start = item.flatMap { item in rows.firstIndex { self.item(at: $0) == item } }
    switch step {
    case .first: return rows[0]
    case .last: return rows[last]
    case .rows(let count):
      guard let start else { return count < 0 ? rows[last] : rows[0] }
      return rows[min(max(start + count, 0), last)]
    }
  }

  /// Returns all rows from one row to another, including both, from top to bottom.
  ///
  /// If the first or the last row is not in the list, the result is empty.
  public func range(from first: ItemID, to last: ItemID) -> [ItemID] {
    guard let start = index(of: first), let end = index(of: last) else { return [] }
    return (min(start, end)...max(start, end)).flatMap { items(at: $0) }
  }
}

/// Keyboard moves of rows.
extension BoardSnapshot {
  /// Returns the position of rows after a move by one step; nil if they cannot move further.
  ///
  /// The rows move together past the next row or stack. At the end of a section they move into the
  /// next section.
  ///
  /// - Parameters:
  ///   - items: rows of the board.
  ///   - isDown: whether the rows move down.
  ///   - stacks: the known stacks.
  /// - Returns: the section, and the index in the section without the moved rows.
  public func destination(
    ofMoving items: Set<ItemID>, down isDown: Bool, stacks: Stacks = Stacks()
  ) -> RowPosition? {
    let places = sections.indices.flatMap { section in
      sections[section].items.indices.lazy.filter { items.contains(sections[section].items[$0]) }
        .map { RowPosition(section: section, row: $0) }
    }
    guard let edge = isDown ? places.last : places.first else { return nil }
    let rows = sections[edge.section].items
    let above = rows[..<edge.row].count { !items.contains($0) }
    let others = rows.filter { !items.contains($0) }
    let own = Set(items.compactMap { stacks[$0] })
    func isWithinStack(_ row: Int) -> Bool {
      guard row > 0, row < others.count, let name = stacks[others[row]] else { return false }
      return name == stacks[others[row - 1]] && !own.contains(name)
    }
    if isDown {
      var row = above + 1
      while isWithinStack(row) { row += 1 }
      if above < others.count { return RowPosition(section: edge.section, row: row) }
      guard edge.section + 1 < sections.count else { return nil }
      return RowPosition(section: edge.section + 1, row: 0)
    }
    if above > 0 {
      var row = above - 1
      while isWithinStack(row) { row -= 1 }
      return RowPosition(section: edge.section, row: row)
    }
    guard edge.section > 0 else { return nil }
    let end = sections[edge.section - 1].items.count { !items.contains($0) }
    return RowPosition(section: edge.section - 1, row: end)
  }
}

extension BoardSnapshot {
  /// Returns the rows of the board that are in `items`, in board order.
  public func ordered(_ items: Set<ItemID>) -> [ItemID] {
    sections.flatMap { $0.items.filter(items.contains) }
  }
}
