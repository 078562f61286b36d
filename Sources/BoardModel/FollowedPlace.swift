/// A place among the rows of a board that follows the board's changes.
///
/// Rows that are inserted just there stand before it. A row keeps its place in this way: where the
/// place is the index path of a row, it stays that row's while others come, go and move.
enum FollowedPlace: Hashable, Sendable {
  /// Before the row of that path, or at the end of the section.
  case row(IndexPath)

  /// The section is gone: after the sections below that index, and before the others.
  case gap(section: Int)

  /// Goes where the change takes it; a reset tells nothing and leaves it as it is.
  ///
  /// A move is taken as a deletion followed by an insertion.
  mutating func follow(_ change: Change) {
    switch change {
    case .insert(_, let path): insertRow(at: path)
    case .delete(_, let path): deleteRow(at: path)
    case .move(_, let source, let destination):
      deleteRow(at: source)
      insertRow(at: destination)
    case .insertSection(_, let index): insertSection(at: index)
    case .deleteSection(_, let index): deleteSection(at: index)
    case .moveSection(_, let source, let destination): moveSection(from: source, to: destination)
    case .reload, .renameSection, .reset: break
    }
  }

  private mutating func insertRow(at path: IndexPath) {
    guard case .row(let own) = self, path.section == own.section, path.row <= own.row else {
      return
    }
    self = .row(IndexPath(section: own.section, row: own.row + 1))
  }

  private mutating func deleteRow(at path: IndexPath) {
    guard case .row(let own) = self, path.section == own.section, path.row < own.row else { return }
    self = .row(IndexPath(section: own.section, row: own.row - 1))
  }

  private mutating func insertSection(at index: Int) {
    if index <= section { section += 1 }
  }

  private mutating func deleteSection(at index: Int) {
    if index < section {
      section -= 1
    } else if index == section {
      self = .gap(section: index)
    }
  }

  private mutating func moveSection(from source: Int, to destination: Int) {
    if case .row = self, source == section {
      section = destination
      return
    }
    if source < section { section -= 1 }
    insertSection(at: destination)
  }

  /// The section that it is in, or the one after the gap.
  private var section: Int {
    get {
      switch self {
      case .row(let path): path.section
      case .gap(let section): section
      }
    }
    set {
      switch self {
      case .row(let path): self = .row(IndexPath(section: newValue, row: path.row))
      case .gap: self = .gap(section: newValue)
      }
    }
  }

  /// Brings it within the board: to the end of its section where that has become shorter, behind
  /// the last section where its own is not there.
  mutating func clamp(to board: Board) {
    guard let rowCount = board.rowCount(inSection: section) else {
      self = .gap(section: board.sectionCount)
      return
    }
    if case .row(let path) = self, path.row > rowCount {
      self = .row(IndexPath(section: path.section, row: rowCount))
    }
  }
}
