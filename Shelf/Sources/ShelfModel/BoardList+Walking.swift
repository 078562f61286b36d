public import DragboardClient

/// Where keys lead.
extension BoardList {
  /// A step of the keyboard.
  public enum Step: Hashable, Sendable {
    /// So many rows down; up where it is negative.
    case rows(Int)
    /// To the first row.
    case first
    /// To the last row.
    case last
  }

  /// The index of the row that a step from a row leads to, headers left out; nil where there is no row.
  ///
  /// A step past an end leads to that end. Without a row to start from, down leads to the first, up to the last.
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

  /// All rows from one to another, both included, from top to bottom; none where either is not in the list.
  public func range(from first: ItemID, to last: ItemID) -> [ItemID] {
    guard let start = index(of: first), let end = index(of: last) else { return [] }
    return (min(start, end)...max(start, end)).compactMap { item(at: $0) }
  }
}

/// Where a key moves rows.
extension BoardSnapshot {
  /// Where rows go by one step, in the section as it is without them; nil where they stand at the end already.
  ///
  /// They go together, past the next row that is not one of them, and from the end of a section into the next one.
  /// - Parameters:
  ///   - items: rows of the board.
  ///   - isDown: whether they go down.
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
  /// The rows of the board, in its order, that are in `items`.
  public func ordered(_ items: Set<ItemID>) -> [ItemID] {
    sections.flatMap { $0.items.filter(items.contains) }
  }
}
