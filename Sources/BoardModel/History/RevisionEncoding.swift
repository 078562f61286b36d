// The binary encoding of revisions, for the store.

/// The code of a change in the binary encoding; `revision` begins the next revision.
private enum ChangeCode: UInt8 {
  case revision = 0
  case insert = 1
  case delete = 2
  case move = 3
  case reload = 4
  case insertSection = 5
  case deleteSection = 6
  case moveSection = 7
  case renameSection = 8
  case reset = 9
}

extension [Revision] {
  /// The version of the binary encoding: its first byte.
  private static var encodingVersion: UInt8 { 1 }

  /// The binary encoding: the version, followed by the revisions.
  ///
  /// A revision consists of its number and its changes. The number and each change begin with a
  /// code.
  public var encoding: [UInt8] {
    var writer = HistoryWriter(version: Self.encodingVersion)
    for revision in self {
      writer.write(ChangeCode.revision, Int(revision.from))
      for change in revision.changes { writer.write(change) }
    }
    return writer.bytes
  }

  /// Decodes the binary encoding; rejects all other bytes.
  ///
  /// O(size).
  public init(encoding: [UInt8]) throws(HistoryDamage) {
    var reader = try HistoryReader(encoding, version: Self.encodingVersion)
    var revisions: [(from: UInt64, changes: [Change])] = []
    while !reader.isAtEnd {
      if let change = try reader.readChange() {
        guard !revisions.isEmpty else { throw .empty }
        revisions[revisions.count - 1].changes.append(change)
      } else {
        revisions.append((UInt64(try reader.readNumber()), []))
      }
    }
    self = revisions.map { Revision(from: $0.from, changes: $0.changes) }
  }
}

extension HistoryWriter {
  fileprivate mutating func write(_ change: Change) {
    switch change {
    case .insert(let row, let path):
      write(ChangeCode.insert, path.section, path.row)
      write(RowEntry(row))
    case .delete(let row, let path):
      write(ChangeCode.delete, path.section, path.row)
      write(RowEntry(row))
    case .move(let row, let source, let destination):
      write(ChangeCode.move, source.section, source.row, destination.section, destination.row)
      write(RowEntry(row))
    case .reload(let row, let path):
      write(ChangeCode.reload, path.section, path.row)
      write(RowEntry(row))
    case .insertSection(let name, let index): write(ChangeCode.insertSection, index, name)
    case .deleteSection(let name, let index): write(ChangeCode.deleteSection, index, name)
    case .moveSection(let name, let source, let destination):
      write(ChangeCode.moveSection, source, name)
      write(destination)
    case .renameSection(let name, let index): write(ChangeCode.renameSection, index, name)
    case .reset: write(ChangeCode.reset)
    }
  }
}

extension HistoryReader {
  /// Reads the next change; returns nil at the beginning of a revision.
  fileprivate mutating func readChange() throws(HistoryDamage) -> Change? {
    let byte = try readByte()
    guard let code = ChangeCode(rawValue: byte) else {
      throw .unknownOperation(byte, offset: offset - 1)
    }
    switch code {
    case .revision: return nil
    case .insert:
      let path = try readPath()
      return .insert(try readRow(), at: path)
    case .delete:
      let path = try readPath()
      return .delete(try readRow(), at: path)
    case .move:
      let (source, destination) = (try readPath(), try readPath())
      return .move(try readRow(), from: source, to: destination)
    case .reload:
      let path = try readPath()
      return .reload(try readRow(), at: path)
    case .reset: return .reset
    case .insertSection, .deleteSection, .moveSection, .renameSection:
      return try readSectionChange(code)
    }
  }

  private mutating func readSectionChange(_ code: ChangeCode) throws(HistoryDamage) -> Change {
    let index = try readNumber()
    let name = try readName()
    return switch code {
    case .insertSection: .insertSection(name, at: index)
    case .deleteSection: .deleteSection(name, at: index)
    case .moveSection: .moveSection(name, from: index, to: try readNumber())
    default: .renameSection(to: name, at: index)
    }
  }
}
