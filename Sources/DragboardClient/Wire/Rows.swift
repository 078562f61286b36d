import DBus
import DragboardInterface

extension ItemID {
  /// An id that came from the daemon.
  init(wire text: String) throws(DragboardError) {
    guard let id = ItemID(text) else { throw .malformed("item id '\(text)'") }
    self = id
  }

  static func all(_ texts: [String]) throws(DragboardError) -> [ItemID] {
    var items: [ItemID] = []
    items.reserveCapacity(texts.count)
    for text in texts { items.append(try ItemID(wire: text)) }
    return items
  }

  /// Where "" stands for none.
  static func orNone(_ text: String) throws(DragboardError) -> ItemID? {
    text.isEmpty ? nil : try ItemID(wire: text)
  }
}

extension [ItemID] {
  var wire: [String] { map(\.description) }
}

extension Row {
  /// A row as GetRows gives it; an attribute that is missing has its usual value, for the contract may grow and shrink by them.
  init(_ row: BoardInterface.Row) throws(DragboardError) {
    let (id, preview, types, attributes) = row.members
    func flag(_ name: String) -> Bool {
      if case .boolean(let flag)? = attributes[name]?.value { flag } else { true }
    }
    func text(_ name: String) -> String {
      if case .string(let text)? = attributes[name]?.value { text } else { "" }
    }
    func number(_ name: String) -> UInt64 {
      if case .uint64(let number)? = attributes[name]?.value { number } else { 0 }
    }
    self.init(
      id: try ItemID(wire: id), preview: preview, types: types.map { ContentType($0) },
      isEditable: flag("editable"), isMovable: flag("movable"),
      created: .microseconds(Int64(clamping: number("created"))), source: text("source"),
      suggestedName: text("name"), byteCount: Int(clamping: number("size")))
  }
}

extension BoardSnapshot {
  init(_ revision: UInt64, _ sections: [BoardInterface.Section]) throws(DragboardError) {
    var read: [Section] = []
    for section in sections {
      read.append(Section(name: section.members.0, items: try ItemID.all(section.members.1)))
    }
    self.init(revision: revision, sections: read)
  }

  var wire: [BoardInterface.Section] {
    sections.map { BoardInterface.Section($0.name, $0.items.wire) }
  }
}

extension BoardChange {
  /// Changes as Changed tells them; nil where they are a reset, or of a kind that a later contract may bring: then the board is to be
  /// read anew.
  static func all(_ changes: [BoardInterface.Change]) throws(DragboardError) -> [BoardChange]? {
    var read: [BoardChange] = []
    read.reserveCapacity(changes.count)
    for change in changes {
      guard let change = try BoardChange(change) else { return nil }
      read.append(change)
    }
    return read
  }

  private init?(_ change: BoardInterface.Change) throws(DragboardError) {
    let (kind, id, fromSection, fromRow, toSection, toRow) = change.members
    let from = RowPosition(section: Int(fromSection), row: Int(fromRow))
    let to = RowPosition(section: Int(toSection), row: Int(toRow))
    switch kind {
    case "insert": self = .insert(try ItemID(wire: id), at: to)
    case "delete": self = .delete(try ItemID(wire: id), at: from)
    case "move": self = .move(try ItemID(wire: id), from: from, to: to)
    case "reload": self = .reload(try ItemID(wire: id), at: to)
    case "insert-section": self = .insertSection(id, at: to.section)
    case "delete-section": self = .deleteSection(id, at: from.section)
    case "move-section": self = .moveSection(id, from: from.section, to: to.section)
    case "rename-section": self = .renameSection(to: id, at: from.section)
    default: return nil
    }
  }
}
