public import DragboardClient

/// A board as a list from top to bottom: the rows of all sections, and a header above each where there are several.
///
/// Pure: made of a snapshot, without a bus or a window.
public struct BoardList: Hashable, Sendable {
  /// One line of the list.
  public enum Entry: Hashable, Sendable {
    /// The header of the section of that name.
    case header(String)
    /// A row.
    case row(ItemID)
  }

  /// The lines from top to bottom.
  public let entries: [Entry]
  /// Where each line stands on the board; for a header, where its section begins.
  private let places: [RowPosition]

  /// An empty list.
  public init() {
    entries = []
    places = []
  }

  /// The list of a board.
  ///
  /// - Parameters:
  ///   - board: the board.
  ///   - found: the rows to be shown; nil shows all. Sections without one of them have no header.
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

  /// Whether there is no row.
  public var isEmpty: Bool { !entries.contains { if case .row = $0 { true } else { false } } }

  /// The row at an index of the list; nil for a header, and outside.
  public func item(at index: Int) -> ItemID? {
    guard entries.indices ~= index, case .row(let item) = entries[index] else { return nil }
    return item
  }

  /// Where the line at an index of the list stands on the board; nil outside.
  public func place(at index: Int) -> RowPosition? {
    places.indices ~= index ? places[index] : nil
  }

  /// Where a row stands in the list; nil where it does not.
  ///
  /// O(rows).
  public func index(of item: ItemID) -> Int? { entries.firstIndex(of: .row(item)) }

  /// The rows of the list, from top to bottom, that are in `items`.
  public func ordered(_ items: Set<ItemID>) -> [ItemID] {
    // With each key that goes to another row, one is asked for: its hash need not be compared with those of all.
    items.count < 2
      ? items.filter { index(of: $0) != nil }
      : entries.indices.compactMap { item(at: $0) }.filter(items.contains)
  }
}

extension BoardList {
  /// A stretch of lines that others have taken the place of.
  public struct Splice: Hashable, Sendable {
    /// The index of the first.
    public let index: Int
    /// How many lines there were.
    public let removed: Int
    /// How many there are now.
    public let added: Int
  }

  /// What has to be replaced in `old` to have this list: the shortest single stretch; nil for nothing.
  public func splice(from old: BoardList) -> Splice? {
    let start = zip(old.entries, entries).prefix { $0 == $1 }.count
    let rest = (old.entries.count - start, entries.count - start)
    let end = zip(old.entries.suffix(rest.0).reversed(), entries.suffix(rest.1).reversed())
      .prefix { $0 == $1 }.count
    let splice = Splice(index: start, removed: rest.0 - end, added: rest.1 - end)
    return splice.removed == 0 && splice.added == 0 ? nil : splice
  }
}
