public import DragboardClient

/// Steps of the keyboard.
extension BoardList {
  /// A step of the keyboard.
  public enum Step: Hashable, Sendable {
    /// A number of rows down; up if it is negative.
    case rows(Int)
    /// To the first row.
    case first
    /// To the last row.
    case last
  }

  /// Returns the index of the row after a step, skipping headers; nil if there is no row.
  ///
  /// A step beyond an end leads to that end. Without a starting row, a step down leads to the first
  /// row, a step up to the last one.
  public func index(_ step: Step, from item: ItemID?) -> Int? {
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

  /// Returns all rows from one to another, including both, from top to bottom; none if either is
  /// not in the list.
  public func range(from first: ItemID, to last: ItemID) -> [ItemID] {
    guard let start = index(of: first), let end = index(of: last) else { return [] }
    return (min(start, end)...max(start, end)).compactMap { item(at: $0) }
  }
}

/// Moves of rows by the keyboard.
extension BoardSnapshot {
  /// Returns the position of rows after a move by one step, in the section without them; nil if
  /// they are at the end.
  ///
  /// They move together, past the next row that is not one of them, and from the end of a section
  /// into the next one.
  ///
  /// - Parameters:
  ///   - items: rows of the board.
  ///   - isDown: whether they move down.
  /// - Returns: the section and the row.
  public func destination(ofMoving items: Set<ItemID>, down isDown: Bool) -> RowPosition? {
    let places = sections.indices.flatMap { section in
      sections[section].items.indices.lazy.filter { items.contains(sections[section].items[$0]) }
        .map { RowPosition(section: section, row: $0) }
    }
    guard let edge = isDown ? places.last : places.first else { return nil }
    let rows = sections[edge.section].items
    let above = rows[..<edge.row].count { !items.contains($0) }
    let all = rows.count { !items.contains($0) }
    if isDown {
      if above < all { return RowPosition(section: edge.section, row: above + 1) }
      guard edge.section + 1 < sections.count else { return nil }
      return RowPosition(section: edge.section + 1, row: 0)
    }
    if above > 0 { return RowPosition(section: edge.section, row: above - 1) }
    guard edge.section > 0 else { return nil }
    let others = sections[edge.section - 1].items.count { !items.contains($0) }
    return RowPosition(section: edge.section - 1, row: others)
  }
}

extension BoardSnapshot {
  /// Returns the rows of the board that are in `items`, in the order of the board.
  public func ordered(_ items: Set<ItemID>) -> [ItemID] {
    sections.flatMap { $0.items.filter(items.contains) }
  }
}
