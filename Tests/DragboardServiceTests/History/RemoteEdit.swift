import DBus
import DragboardInterface

/// A part of ApplyEdits: an edit that was made on another machine.
enum RemoteEdit: Sendable {
  case insert(item: String, text: String, section: UInt32, row: UInt32, isPinned: Bool)
  case delete(item: String)
  case move(item: String, section: UInt32, row: UInt32)
  case setText(item: String, String)
  case setFlags(item: String, isEditable: Bool, isMovable: Bool)
  case insertSection(name: String, at: UInt32)

  /// The edit as the argument of ApplyEdits.
  ///
  /// An inserted row is older than all rows of this machine.
  var wire: BoardInterface.Edit {
    typealias Part = BoardInterface.Edit
    func text(_ text: String) -> [BoardInterface.Representation] {
      [BoardInterface.Representation("text/plain;charset=utf-8", .text(text))]
    }
    switch self {
    case .insert(let item, let words, let section, let row, let isPinned):
      let attributes = ["created": Variant(.uint64(1)), "pinned": Variant(.boolean(isPinned))]
      return Part("insert", item, section, row, attributes, text(words))
    case .delete(let item): return Part("delete", item, 0, 0, [:], [])
    case .move(let item, let section, let row): return Part("move", item, section, row, [:], [])
    case .setText(let item, let words): return Part("set", item, 0, 0, [:], text(words))
    case .setFlags(let item, let isEditable, let isMovable):
      let flags = [
        "editable": Variant(.boolean(isEditable)), "movable": Variant(.boolean(isMovable)),
      ]
      return Part("set", item, 0, 0, flags, [])
    case .insertSection(let name, let index):
      return Part("insert-section", name, index, 0, [:], [])
    }
  }
}

extension BoardState {
  /// Makes edits of another machine, which ignore the flags of rows.
  ///
  /// - Returns: false if one of them is refused; then the value may be partly changed.
  mutating func apply(_ edits: [RemoteEdit]) -> Bool { edits.allSatisfy { apply($0) } }

  private mutating func apply(_ edit: RemoteEdit) -> Bool {
    switch edit {
    case .insert(let item, let text, let section, let index, let isPinned):
      var row = Row(id: item, text: text)
      row.isPinned = isPinned
      return insert([row], Int(section), Int(index)) && rows.count <= maxRows
    case .delete(let item):
      guard row(item) != nil else { return false }
      remove { $0.id == item }
    case .move(let item, let section, let index):
      guard let row = row(item) else { return false }
      remove { $0.id == item }
      return insert([row], Int(section), Int(index))
    case .setText(let item, let text):
      return change(item) {
        $0.text = text
        return true
      }
    case .setFlags(let item, let isEditable, let isMovable):
      return change(item) {
        ($0.isEditable, $0.isMovable) = (isEditable, isMovable)
        return true
      }
    case .insertSection(let name, let index):
      guard 0...sections.count ~= Int(index), !sections.contains(where: { $0.name == name })
      else { return false }
      sections.insert(Section(name: name, rows: []), at: Int(index))
    }
    return true
  }
}
