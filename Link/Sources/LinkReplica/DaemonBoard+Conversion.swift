import BoardModel
import DragboardClient
import Files
import LinkModel

/// The daemon sent a value that this program does not understand.
struct UnexpectedValue: Error, CustomStringConvertible {
  let description: String
}

extension ItemKey {
  init(_ item: ItemID) throws {
    let digits = item.description.filter { $0 != "-" }
    guard let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.suffix(16), radix: 16)
    else { throw UnexpectedValue(description: "item: \(item)") }
    self.init(high, low)
  }

  fileprivate var item: ItemID {
    get throws {
      let text = description
      var parts: [Substring] = []
      var rest = text[...]
      for count in [8, 4, 4, 4, 12] {
        parts.append(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      guard let item = ItemID(parts.joined(separator: "-")) else {
        throw UnexpectedValue(description: "item: \(text)")
      }
      return item
    }
  }
}

extension IndexPath {
  fileprivate init(_ position: RowPosition) {
    self.init(section: position.section, row: position.row)
  }

  fileprivate var position: RowPosition { RowPosition(section: section, row: row) }
}

extension LocalChange {
  init(_ change: BoardChange) throws {
    self =
      switch change {
      case .insert(let item, let path): .insert(try ItemKey(item), at: IndexPath(path))
      case .delete(let item, let path): .delete(try ItemKey(item), at: IndexPath(path))
      case .move(let item, let from, let to):
        .move(try ItemKey(item), from: IndexPath(from), to: IndexPath(to))
      case .reload(let item, let path): .reload(try ItemKey(item), at: IndexPath(path))
      case .insertSection(let name, let index): .insertSection(name, at: index)
      case .deleteSection(_, let index): .deleteSection(at: index)
      case .moveSection(_, let from, let to): .moveSection(from: from, to: to)
      case .renameSection(let name, let index): .renameSection(to: name, at: index)
      }
  }
}

extension BoardEdit {
  init(_ edit: LocalEdit, _ contents: [ContentHash: ContentBytes]) throws {
    func representations(
      _ list: [SharedRow.Representation]
    ) throws -> [(type: ContentType, content: RowBytes)] {
      try list.map { representation in
        var type = representation.type
        if type == FileReference.listType {
          type = FileReference.localType(ofList: try array(of: representation.content))
        }
        return (type: ContentType(type), content: try bytes(of: representation.content))
      }
    }
    func array(of content: SharedContent) throws -> [UInt8] {
      switch content {
      case .inline(let bytes): return bytes
      case .stored(let hash, _):
        guard let content = contents[hash] else { throw ReplicatorError.missingContent(hash) }
        return try content.read(0..<min(try content.byteCount, FileReference.maxBytes))
      }
    }
    func bytes(of content: SharedContent) throws -> RowBytes {
      switch content {
      case .inline(let bytes): return .data(bytes)
      case .stored(let hash, _):
        switch contents[hash] {
        case .inMemory(let bytes): return .data(bytes)
        case .file(let file): return .file(try SourceFile(descriptor: file.number))
        case nil: throw ReplicatorError.missingContent(hash)
        }
      }
    }
    switch edit {
    case .insert(let item, let row, let path):
      var new = BoardEdit.NewRow(
        try representations(row.representations),
        attributes: ItemAttributes(
          name: row.name, modified: row.modified.map { .microseconds(Int64(clamping: $0)) },
          application: row.application, stack: row.stack),
        created: .microseconds(Int64(clamping: row.created)))
      new.isEditable = row.flags.contains(.isEditable)
      new.isMovable = row.flags.contains(.isMovable)
      new.isPinned = row.flags.contains(.isPinned)
      self = .insert(try item.item, new, at: path.position)
    case .delete(let item): self = .delete(try item.item)
    case .move(let item, let path): self = .move(try item.item, to: path.position)
    case .setFlags(let item, let flags, let changing):
      func value(_ flag: RowFlags) -> Bool? {
        changing.contains(flag) ? flags.contains(flag) : nil
      }
      self = .setFlags(
        try item.item, isEditable: value(.isEditable), isMovable: value(.isMovable),
        isPinned: value(.isPinned))
    case .setName(let item, let name): self = .setName(try item.item, name)
    case .setStack(let item, let stack): self = .setStack(try item.item, stack)
    case .setContents(let item, let list):
      self = .setRepresentations(try item.item, try representations(list))
    case .insertSection(let name, let index): self = .insertSection(name, at: index)
    case .deleteSection(let index): self = .deleteSection(at: index)
    case .moveSection(let from, let to): self = .moveSection(from: from, to: to)
    case .renameSection(let name, let index): self = .renameSection(to: name, at: index)
    }
  }
}

extension Duration {
  /// The duration in whole microseconds; nil if it is negative.
  var microseconds: UInt64? {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return nil }
    return UInt64(seconds) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000)
  }
}
