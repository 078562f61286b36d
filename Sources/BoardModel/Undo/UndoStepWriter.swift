extension UndoStep {
  /// The version of the binary encoding: its first byte.
  static let encodingVersion: UInt8 = 1

  /// The code of an operation in the binary encoding.
  enum Code: UInt8 {
    case insert = 1
    case delete = 2
    case put = 3
    case lift = 4
    case move = 5
    case setFlags = 6
    case exchangeContent = 7
    case insertSection = 8
    case deleteSection = 9
    case moveSection = 10
    case renameSection = 11
    case others = 12
    case changeRetention = 13
  }

  /// The binary encoding: the version, followed by the operations, each with its code first.
  ///
  /// Numbers are in LEB128, in the order of the operation's values. A name is its length, followed
  /// by the text in UTF-8. A row is its entry, eight bytes in little-endian order. A list of rows
  /// is their number, followed by the rows.
  public var bytes: [UInt8] {
    var writer = HistoryWriter(version: Self.encodingVersion)
    for operation in operations { writer.write(operation) }
    return writer.bytes
  }
}

extension HistoryWriter {
  fileprivate mutating func write(_ operation: UndoStep.Operation) {
    switch operation {
    case .insert(let entries, let path): write(UndoStep.Code.insert, path, entries)
    case .put(let entries, let path): write(UndoStep.Code.put, path, entries)
    case .delete(let count, let path): write(UndoStep.Code.delete, path.section, path.row, count)
    case .lift(let count, let path): write(UndoStep.Code.lift, path.section, path.row, count)
    case .move(let source, let destination):
      write(UndoStep.Code.move, source.section, source.row, destination.section, destination.row)
    case .setFlags(let flags, let row):
      write(UndoStep.Code.setFlags, Int(flags.rawValue))
      write(RowEntry(row))
    case .exchangeContent(let row):
      write(UndoStep.Code.exchangeContent)
      write(RowEntry(row))
    case .insertSection(let name, let index): write(UndoStep.Code.insertSection, index, name)
    case .deleteSection(let index): write(UndoStep.Code.deleteSection, index)
    case .moveSection(let source, let destination):
      write(UndoStep.Code.moveSection, source, destination)
    case .renameSection(let name, let index): write(UndoStep.Code.renameSection, index, name)
    case .changeRetention(let change):
      let (from, to) = (change.from, change.to)
      write(
        UndoStep.Code.changeRetention, Int(from.rows), Int(from.seconds), Int(to.rows),
        Int(to.seconds))
    case .others(let operations):
      write(UndoStep.Code.others, operations.count)
      for operation in operations { write(operation) }
    }
  }
}
