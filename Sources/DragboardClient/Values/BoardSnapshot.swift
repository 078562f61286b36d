/// The sections of a board at one revision, and the ids of their rows in order.
public struct BoardSnapshot: Hashable, Sendable {
  /// A section: its name, and its rows in order.
  public struct Section: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The ids of the section's rows in order.
    public var items: [ItemID]

    /// Creates a section.
    public init(name: String, items: [ItemID] = []) {
      self.name = name
      self.items = items
    }
  }

  /// The board's revision.
  public internal(set) var revision: UInt64
  /// The sections in order.
  public var sections: [Section]

  /// Creates a snapshot.
  public init(revision: UInt64, sections: [Section]) {
    self.revision = revision
    self.sections = sections
  }

  /// The number of rows in all sections.
  public var count: Int { sections.reduce(0) { $0 + $1.items.count } }

  /// The row at a position; nil if the position does not exist.
  public subscript(position: RowPosition) -> ItemID? {
    guard sections.indices.contains(position.section),
      sections[position.section].items.indices.contains(position.row)
    else { return nil }
    return sections[position.section].items[position.row]
  }

  /// Returns the position of a row; nil if the row is not on the board.
  ///
  /// O(rows).
  public func position(of item: ItemID) -> RowPosition? {
    for (index, section) in sections.enumerated() {
      if let row = section.items.firstIndex(of: item) {
        return RowPosition(section: index, row: row)
      }
    }
    return nil
  }

  /// Applies a change of the board to the snapshot.
  ///
  /// O(rows of a section).
  /// - Throws: `Misfit` if the change is impossible in the snapshot, which then stays unchanged.
  public mutating func apply(_ change: BoardChange) throws(Misfit) {
    switch change {
    case .insert(let item, let position): try put(item, at: position, for: change)
    case .delete(let item, let position): try take(item, at: position, for: change)
    case .move(let item, let source, let destination):
      try check(canMove(item, from: source, to: destination), change)
      try take(item, at: source, for: change)
      try put(item, at: destination, for: change)
    case .reload(let item, let position): try check(self[position] == item, change)
    default: try applyToSections(change)
    }
  }

  /// The error if a change is impossible in a snapshot.
  ///
  /// Read the board again.
  public struct Misfit: Error, Hashable, Sendable {
    /// The change.
    public let change: BoardChange
  }

  private mutating func applyToSections(_ change: BoardChange) throws(Misfit) {
    switch change {
    case .insertSection(let name, let index):
      try check(0...sections.count ~= index, change)
      sections.insert(Section(name: name), at: index)
    case .deleteSection(let name, let index):
      try check(sections.indices ~= index && sections[index] == Section(name: name), change)
      sections.remove(at: index)
    case .moveSection(let name, let source, let destination):
      let bounds = sections.indices
      try check(
        bounds ~= source && bounds ~= destination && sections[source].name == name, change)
      sections.insert(sections.remove(at: source), at: destination)
    case .renameSection(let name, let index):
      try check(sections.indices ~= index, change)
      sections[index].name = name
    default: break
    }
  }

  private func check(_ fits: Bool, _ change: BoardChange) throws(Misfit) {
    guard fits else { throw Misfit(change: change) }
  }

  private func canMove(
    _ item: ItemID, from source: RowPosition, to destination: RowPosition
  ) -> Bool {
    guard self[source] == item, sections.indices ~= destination.section else { return false }
    let room = sections[destination.section].items.count
    return 0...(destination.section == source.section ? room - 1 : room) ~= destination.row
  }

  private mutating func put(
    _ item: ItemID, at position: RowPosition, for change: BoardChange
  ) throws(Misfit) {
    guard sections.indices ~= position.section,
      0...sections[position.section].items.count ~= position.row
    else { throw Misfit(change: change) }
    sections[position.section].items.insert(item, at: position.row)
  }

  private mutating func take(
    _ item: ItemID, at position: RowPosition, for change: BoardChange
  ) throws(Misfit) {
    try check(self[position] == item, change)
    sections[position.section].items.remove(at: position.row)
  }
}
