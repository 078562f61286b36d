public import DragboardClient

/// A board as a list of lines: the rows of all sections, and a header for each section if there are
/// several.
///
/// The list is computed from a snapshot, without a bus or a window.
public struct BoardList: Hashable, Sendable {
  /// A line of the list.
  public enum Entry: Hashable, Sendable {
    /// The header of the section with this name.
    case header(String)
    /// A row.
    case row(ItemID)
    /// A closed stack, with its rows from top to bottom.
    case stack([ItemID])
  }

  /// The lines from top to bottom.
  public let entries: [Entry]
  /// The position of each line on the board.
  ///
  /// For a header, it is the beginning of its section; for a stack, the position of its first row.
  private let places: [RowPosition]
  /// The rows of each open stack, by the line number of its first row.
  private let openStacks: [Int: [ItemID]]

  /// Creates an empty list.
  public init() {
    (entries, places, openStacks) = ([], [], [:])
  }

  /// Creates the list of a board.
  ///
  /// - Parameters:
  ///   - board: the board.
  ///   - found: the rows to show, each on a separate line; nil shows all rows. Sections without
  ///     these rows have no header.
  ///   - stacks: the known stacks.
  public init(
    _ board: BoardSnapshot, showing found: Set<ItemID>? = nil, stacks: Stacks = Stacks()
  ) {
    var entries: [Entry] = []
    var places: [RowPosition] = []
    var openStacks: [Int: [ItemID]] = [:]
    entries.reserveCapacity(board.count + board.sections.count)
    places.reserveCapacity(board.count + board.sections.count)
    for (index, section) in board.sections.enumerated() {
      var rows = section.items.indices.filter { found?.contains(section.items[$0]) ?? true }[...]
      if board.sections.count > 1, found == nil || !rows.isEmpty {
        entries.append(.header(section.name))
        places.append(RowPosition(section: index, row: 0))
      }
      while let row = rows.popFirst() {
        let members = found == nil ? stacks.stack(at: row, of: section.items) : []
        places.append(RowPosition(section: index, row: row))
        guard members.count > 1 else {
          entries.append(.row(section.items[row]))
          continue
        }
        if stacks.isOpen(members) {
          openStacks[entries.count] = Array(members)
          entries += members.map(Entry.row)
          places += members.indices.dropFirst().map { RowPosition(section: index, row: $0) }
        } else {
          entries.append(.stack(Array(members)))
        }
        rows.removeFirst(members.count - 1)
      }
    }
    (self.entries, self.places, self.openStacks) = (entries, places, openStacks)
  }

  /// Whether the list has no rows.
  public var isEmpty: Bool { !entries.contains { if case .header = $0 { false } else { true } } }

  /// Returns the row at an index of the list; nil for a header and for an invalid index.
  ///
  /// For a closed stack, returns its first row.
  public func item(at index: Int) -> ItemID? {
    guard entries.indices ~= index else { return nil }
    return switch entries[index] {
    case .header: nil
    case .row(let item): item
    case .stack(let items): items.first
    }
  }

  /// Returns the rows at an index of the list: several for a closed stack, none for a header.
  public func items(at index: Int) -> [ItemID] {
    if entries.indices ~= index, case .stack(let items) = entries[index] { return items }
    return item(at: index).map { [$0] } ?? []
  }

  /// Returns the position on the board of the line at an index; nil for an invalid index.
  public func place(at index: Int) -> RowPosition? {
    places.indices ~= index ? places[index] : nil
  }

  /// Returns the index of the line that shows a row; nil if no line does.
  ///
  /// O(rows).
  public func index(of item: ItemID) -> Int? {
    entries.firstIndex { entry in
      switch entry {
      case .header: false
      case .row(let row): row == item
      case .stack(let rows): rows.contains(item)
      }
    }
  }

  /// Returns the rows of the list that are in `items`, from top to bottom.
  public func ordered(_ items: Set<ItemID>) -> [ItemID] {
    // Each key press passes a single row. Looking it up directly avoids hashing all rows.
    items.count < 2
      ? items.filter { index(of: $0) != nil }
      : entries.reduce(into: []) { ordered, entry in
        switch entry {
        case .header: break
        case .row(let item): if items.contains(item) { ordered.append(item) }
        case .stack(let rows): ordered += rows.filter(items.contains)
        }
      }
  }
}

/// Stacks.
extension BoardList {
  /// Returns the rows of the open or closed stack to which the line at an index belongs; nil if it
  /// belongs to no stack.
  public func stack(at index: Int) -> [ItemID]? {
    if entries.indices ~= index, case .stack(let items) = entries[index] { return items }
    return openStacks.first { $0.key <= index && index < $0.key + $0.value.count }?.value
  }

  /// Returns the rows, together with the other rows of their closed stacks.
  public func whole(_ items: Set<ItemID>) -> Set<ItemID> {
    entries.reduce(into: items) { items, entry in
      if case .stack(let rows) = entry, rows.contains(where: items.contains) {
        items.formUnion(rows)
      }
    }
  }

  /// Returns the stack that a drop in a gap joins; nil if the gap is not between two rows of an
  /// open stack.
  public func stack(aroundGap gap: Int) -> [ItemID]? {
    openStacks.first { $0.key < gap && gap < $0.key + $0.value.count }?.value
  }
}

extension BoardList {
  /// A range of replaced lines.
  public struct Splice: Hashable, Sendable {
    /// The index of the first line.
    public let index: Int
    /// The number of old lines.
    public let removed: Int
    /// The number of new lines.
    public let added: Int
  }

  /// Returns the shortest range of `old` whose replacement produces this list; nil if the lists are
  /// equal.
  public func splice(from old: BoardList) -> Splice? {
    let start = zip(old.entries, entries).prefix { $0 == $1 }.count
    let rest = (old.entries.count - start, entries.count - start)
    let end = zip(old.entries.suffix(rest.0).reversed(), entries.suffix(rest.1).reversed())
      .prefix { $0 == $1 }.count
    let splice = Splice(index: start, removed: rest.0 - end, added: rest.1 - end)
    return splice.removed == 0 && splice.added == 0 ? nil : splice
  }
}
