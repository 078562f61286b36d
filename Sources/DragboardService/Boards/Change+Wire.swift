import BoardModel
import DBus
import DragboardInterface

extension Change {
  /// The change as the signal Changed carries it.
  func wire(_ ids: ItemIDs) -> BoardInterface.Change {
    func row(_ kind: String, _ row: RowID, _ from: IndexPath?, _ to: IndexPath?)
      -> BoardInterface.Change
    {
      BoardInterface.Change(
        kind, ids.id(of: row), UInt32(from?.section ?? 0), UInt32(from?.row ?? 0),
        UInt32(to?.section ?? 0), UInt32(to?.row ?? 0))
    }
    func section(_ kind: String, _ name: String, _ from: Int, _ to: Int) -> BoardInterface.Change {
      BoardInterface.Change(kind, name, UInt32(from), 0, UInt32(to), 0)
    }
    return switch self {
    case .insert(let id, let path): row("insert", id, nil, path)
    case .delete(let id, let path): row("delete", id, path, nil)
    case .move(let id, let from, let to): row("move", id, from, to)
    case .reload(let id, let path): row("reload", id, path, path)
    case .insertSection(let name, let index): section("insert-section", name, 0, index)
    case .deleteSection(let name, let index): section("delete-section", name, index, 0)
    case .moveSection(let name, let from, let to): section("move-section", name, from, to)
    case .renameSection(let name, let index): section("rename-section", name, index, 0)
    case .reset: section("reset", "", 0, 0)
    }
  }

  /// Whether the names or the order of sections may differ afterwards.
  var mayTouchSections: Bool {
    switch self {
    case .insertSection, .deleteSection, .moveSection, .renameSection, .reset: true
    case .insert, .delete, .move, .reload: false
    }
  }
}
