import DBus
import DragboardInterface

extension ItemID {
  /// Decodes an id that the daemon sent.
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

  /// Decodes an id; returns nil for "".
  static func orNone(_ text: String) throws(DragboardError) -> ItemID? {
    text.isEmpty ? nil : try ItemID(wire: text)
  }
}

extension DropOperation {
  /// Decodes an operation that the daemon sent.
  init(wire word: String) throws(DragboardError) {
    guard let operation = DropOperation(rawValue: word) else {
      throw .malformed("operation '\(word)'")
    }
    self = operation
  }
}

extension [ItemID] {
  var wire: [String] { map(\.description) }
}

extension Row {
  init(_ row: BoardInterface.Row) throws(DragboardError) {
    let (id, preview, types, attributes) = row.members
    self.init(
      id: try ItemID(wire: id), preview: preview, types: types.map { ContentType($0) },
      isEditable: attributes.isEditable, isMovable: attributes.isMovable,
      isPinned: attributes.isPinned,
      created: .microseconds(Int64(clamping: attributes.created ?? 0)),
      source: attributes.source ?? "", attributes: ItemAttributes(attributes.item),
      byteCount: Int(clamping: attributes.byteCount ?? 0))
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
  /// Decodes changes.
  ///
  /// - Returns: nil for a reset or an unknown kind of change. The board has to be read again.
  static func all(_ changes: [WireChange]) throws(DragboardError) -> [BoardChange]? {
    var read: [BoardChange] = []
    read.reserveCapacity(changes.count)
    for change in changes {
      guard let change = try BoardChange(change) else { return nil }
      read.append(change)
    }
    return read
  }

  private init?(_ change: WireChange) throws(DragboardError) {
    let (from, to) = (RowPosition(change.from), RowPosition(change.to))
    func item() throws(DragboardError) -> ItemID { try ItemID(wire: change.subject) }
    switch change.kind {
    case .insert: self = .insert(try item(), at: to)
    case .delete: self = .delete(try item(), at: from)
    case .move: self = .move(try item(), from: from, to: to)
    case .reload: self = .reload(try item(), at: to)
    case .insertSection: self = .insertSection(change.subject, at: to.section)
    case .deleteSection: self = .deleteSection(change.subject, at: from.section)
    case .moveSection: self = .moveSection(change.subject, from: from.section, to: to.section)
    case .renameSection: self = .renameSection(to: change.subject, at: from.section)
    case .reset: return nil
    }
  }
}

extension RowPosition {
  fileprivate init(_ place: WireChange.Place) {
    self.init(section: place.section, row: place.row)
  }
}
