/// A position on a board, which the board's changes adjust.
///
/// If rows are inserted exactly at the position, the position comes after them. So if it is the
/// path of a row, it remains the path of this row while other rows are inserted, deleted and moved.
enum FollowedPosition: Hashable, Sendable {
  /// Before the row at this path, or at the end of the section.
  case row(IndexPath)

  /// The section was deleted: the position is before the section that now has this index.
  case gap(section: Int)

  /// Adjusts the position to a change.
  ///
  /// A reset leaves it unchanged.
  ///
  /// A move counts as a deletion followed by an insertion.
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

  /// The section of the position, or the section after the gap.
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

  /// Limits the position to the board.
  ///
  /// If the section is shorter, the position becomes the end of the section. If the section does
  /// not exist, it becomes the gap behind the last section.
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
