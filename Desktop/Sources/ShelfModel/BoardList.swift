public import DragboardClient

/// A board as a list from top to bottom: the rows of all sections, with headers if there are
/// several.
///
/// Pure: derived from a snapshot, without a bus or a window.
public struct BoardList: Hashable, Sendable {
  /// A line of the list.
  public enum Entry: Hashable, Sendable {
    /// The header of the section with this name.
    case header(String)
    /// A row.
    case row(ItemID)
  }

  /// The lines from top to bottom.
  public let entries: [Entry]
  /// The position of each line on the board; for a header, the beginning of its section.
  private let places: [RowPosition]

  /// Creates an empty list.
  public init() {
    entries = []
    places = []
  }

  /// Creates the list of a board.
  ///
  /// - Parameters:
  ///   - board: the board.
  ///   - found: the rows to show; nil shows all. Sections without any of them have no header.
  public init(_ board: BoardSnapshot, showing found: Set<ItemID>? = nil) {
    var entries: [Entry] = []
    var places: [RowPosition] = []
    entries.reserveCapacity(board.count + board.sections.count)
    places.reserveCapacity(board.count + board.sections.count)
    for (index, section) in board.sections.enumerated() {
      let rows = section.items.indices.filter { found?.contains(section.items[$0]) ?? true }
      if board.sections.count > 1, found == nil || !rows.isEmpty {
        entries.append(.header(section.name))
        places.append(RowPosition(section: index, row: 0))
      }
      for row in rows {
        entries.append(.row(section.items[row]))
        places.append(RowPosition(section: index, row: row))
      }
    }
    self.entries = entries
    self.places = places
  }

  /// Whether the list has no rows.
  public var isEmpty: Bool { !entries.contains { if case .row = $0 { true } else { false } } }

  /// Returns the row at an index of the list; nil for a header and for an invalid index.
  public func item(at index: Int) -> ItemID? {
    guard entries.indices ~= index, case .row(let item) = entries[index] else { return nil }
    return item
  }

  /// Returns the position on the board of the line at an index; nil for an invalid index.
  public func place(at index: Int) -> RowPosition? {
    places.indices ~= index ? places[index] : nil
  }

  /// Returns the index of a row; nil if the list does not contain it.
  ///
  /// O(rows).
  public func index(of item: ItemID) -> Int? { entries.firstIndex(of: .row(item)) }

  /// Returns the rows of the list that are in `items`, from top to bottom.
  public func ordered(_ items: Set<ItemID>) -> [ItemID] {
    // Each key press passes a single row: looking it up directly avoids hashing all rows.
    items.count < 2
      ? items.filter { index(of: $0) != nil }
      : entries.indices.compactMap { item(at: $0) }.filter(items.contains)
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

  /// Returns the shortest range of `old` to replace to get this list; nil if they are equal.
  public func splice(from old: BoardList) -> Splice? {
    let start = zip(old.entries, entries).prefix { $0 == $1 }.count
    let rest = (old.entries.count - start, entries.count - start)
    let end = zip(old.entries.suffix(rest.0).reversed(), entries.suffix(rest.1).reversed())
      .prefix { $0 == $1 }.count
    let splice = Splice(index: start, removed: rest.0 - end, added: rest.1 - end)
    return splice.removed == 0 && splice.added == 0 ? nil : splice
  }
}
