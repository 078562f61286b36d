import BoardModel
import DragboardInterface

extension Change {
  /// Returns the change in the form of the signal Changed.
  func wire(_ ids: ItemIDs) -> WireChange {
    func place(_ path: IndexPath) -> WireChange.Place {
      WireChange.Place(section: path.section, row: path.row)
    }
    func section(_ index: Int) -> WireChange.Place { WireChange.Place(section: index) }
    func id(_ row: RowID) -> String { ids.id(of: row) }
    return switch self {
    case .insert(let row, let path): WireChange(.insert, id(row), to: place(path))
    case .delete(let row, let path): WireChange(.delete, id(row), from: place(path))
    case .move(let row, let from, let to):
      WireChange(.move, id(row), from: place(from), to: place(to))
    case .reload(let row, let path):
      WireChange(.reload, id(row), from: place(path), to: place(path))
    case .insertSection(let name, let index): WireChange(.insertSection, name, to: section(index))
    case .deleteSection(let name, let index):
      WireChange(.deleteSection, name, from: section(index))
    case .moveSection(let name, let from, let to):
      WireChange(.moveSection, name, from: section(from), to: section(to))
    case .renameSection(let name, let index):
      WireChange(.renameSection, name, from: section(index))
    case .reset: WireChange(.reset)
    }
  }

  /// Whether the change may affect the names or the order of sections.
  var mayTouchSections: Bool {
    switch self {
    case .insertSection, .deleteSection, .moveSection, .renameSection, .reset: true
    case .insert, .delete, .move, .reload: false
    }
  }
}
