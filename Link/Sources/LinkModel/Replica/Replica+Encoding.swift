import BoardModel

extension Replica {
  private static let version: UInt8 = 6
  /// The maximum size of the history of a revision.
  static let maxHistoryBytes = 64

  /// The binary encoding of a replica whose daemon's board equals the visible board, except for rows
  /// that wait for their contents.
  ///
  /// It is nil for any other replica, because then the events must be stored instead.
  public var bytes: [UInt8]? {
    guard isSettled else { return nil }
    var writer = ByteWriter()
    writer.write(byte: Self.version)
    writer.write(machine)
    writer.write(position)
    writer.write(lastBatches.count)
    for (machine, number) in lastBatches.sorted(by: { $0.key < $1.key }) {
      writer.write(machine)
      writer.write(number)
    }
    writer.write(base)
    writer.write(pending)
    writer.write(cutCount)
    writer.write(batchNumber)
    writer.write(revision.map { $0 &+ 1 } ?? 0)
    writer.write(items.count)
    for key in items.keys {
      writer.write(key)
      if let item = items[key] { writer.write(item) }
    }
    writer.write(droppedCount)
    writer.write(dropped.count)
    for edit in dropped {
      writer.write(edit.edit)
      writer.write(byte: edit.reason.rawValue)
      writer.write(edit.title)
      writer.write(edit.entry)
      writer.write(edit.received)
    }
    writer.write(titles.rows)
    writer.write(titles.sections)
    writer.write(byte: hasTwin ? 1 : 0)
    writer.write(renewals)
    writer.write(previousMachine)
    writer.write(replaced)
    writer.write(rebuilt)
    writer.write(lastCheckpoint.entry)
    writer.write(lastCheckpoint.time)
    writer.write(divergence.map { $0 &+ 1 } ?? 0)
    writer.write(waiting.count)
    for key in waiting.sorted() {
      writer.write(key)
      let row = shadow[key]
      writer.write(byte: row == nil ? 0 : 1)
      if let row { writer.write(row) }
    }
    writer.write(history.text)
    writer.write(log)
    writer.write(successor)
    writer.write(start)
    writer.write(history.later)
    return writer.bytes
  }

  /// Decodes a replica; version 2 ends with `titles`, version 3 before `history`, version 4 before `log`, and
  /// version 5 with `start`.
  public init(bytes: [UInt8]) throws(EncodingDamage) {
    var reader = ByteReader(bytes)
    let version = try reader.readByte()
    guard version <= Self.version else { throw .laterVersion(version) }
    guard version >= 2 else { throw .invalid }
    self.init(machine: try reader.readKey())
    position = try reader.readNumber()
    for _ in 0..<(try reader.readCount(ofSize: 17)) {
      lastBatches[try reader.readKey()] = try reader.readNumber()
    }
    base = try reader.readBoard()
    pending = try reader.readEdits()
    cutCount = Int(clamping: try reader.readNumber())
    guard cutCount <= pending.count else { throw .invalid }
    batchNumber = try reader.readNumber()
    let revision = try reader.readNumber()
    self.revision = revision == 0 ? nil : revision - 1
    for _ in 0..<(try reader.readCount(ofSize: 32)) {
      let (key, item): (RowKey, ItemKey) = (try reader.readKey(), try reader.readKey())
      (items[key], keys[item]) = (item, key)
    }
    droppedCount = try reader.readNumber()
    for _ in 0..<(try reader.readCount(ofSize: 18)) {
      let edit = try reader.readEdit()
      guard let reason = DropReason(rawValue: try reader.readByte()) else { throw .invalid }
      dropped.append(
        DroppedEdit(
          edit, reason, title: try reader.readTitle(), entry: try reader.readNumber(),
          received: try reader.readNumber()))
    }
    titles = Titles(rows: try reader.readTitles(), sections: try reader.readTitles())
    var old: [RowKey: SharedRow?] = [:]
    if version >= 3 {
      hasTwin = try reader.readByte() == 1
      renewals = try reader.readNumber()
      previousMachine = try reader.readOptionalKey()
      replaced = try reader.readNumber()
      rebuilt = try reader.readNumber()
      lastCheckpoint = (try reader.readNumber(), try reader.readNumber())
      let entry = try reader.readNumber()
      divergence = entry == 0 ? nil : entry - 1
      for _ in 0..<(try reader.readCount(ofSize: 17)) {
        let key: RowKey = try reader.readKey()
        old[key] = .some(try reader.readByte() == 0 ? nil : try reader.readRow())
      }
    }
    if version >= 4 {
      history = RevisionHistory(try reader.readText(max: Self.maxHistoryBytes))
    }
    if version >= 5 {
      (log, successor) = (try reader.readOptionalKey(), try reader.readOptionalKey())
      start = try reader.readNumber()
    }
    if version >= 6 {
      history = RevisionHistory(history.text, later: try reader.readNumber())
    }
    try reader.finish()
    rebase()
    shadow = visible.withoutAliases
    dirty = TouchedParts()
    for (key, row) in old {
      if let row { _ = shadow.change(key) { $0 = row } } else { _ = shadow.remove(key) }
    }
    waiting = Set(old.keys)
    dirty.rows = waiting
  }
}

extension ByteWriter {
  fileprivate mutating func write<Subject>(_ titles: [Key<Subject>: String]) {
    write(titles.count)
    for (key, title) in titles.sorted(by: { $0.key < $1.key }) {
      write(key)
      write(title)
    }
  }

  /// Writes a board.
  mutating func write(_ board: SharedBoard) {
    board.forEachPiece { write(fixed: $0) }
  }
}

extension SharedBoard {
  /// Calls `body` with each piece of the encoded board: its sections, each with its rows, and the aliases
  /// of sections.
  func forEachPiece(_ body: (ArraySlice<UInt8>) -> Void) {
    var writer = ByteWriter()
    writer.write(sections.count)
    for (index, (key, name)) in zip(sections, sectionNames).enumerated() {
      writer.write(key)
      writer.write(name)
      writer.write(rowCount(inSection: index))
      for key in keys(inSection: index) {
        guard let row = bytes(of: key) else { continue }
        writer.write(key)
        writer.write(fixed: row)
        if writer.bytes.count >= Self.pieceBytes {
          body(writer.bytes[...])
          writer = ByteWriter()
        }
      }
    }
    writer.write(aliases.count)
    for (alias, key) in aliases.sorted(by: { $0.key < $1.key }) {
      writer.write(alias)
      writer.write(key)
    }
    body(writer.bytes[...])
  }

  /// The minimum number of bytes of a piece, except for the last one.
  private static let pieceBytes = 16 << 10
}

extension ByteReader {
  /// Reads a title, which is shorter than the name of a section or has at most
  /// `SharedRow.maxTitleScalars` characters.
  fileprivate mutating func readTitle() throws(EncodingDamage) -> String {
    try readText(max: 4 * Name.maxScalars)
  }

  fileprivate mutating func readTitles<Subject>() throws(EncodingDamage) -> [Key<Subject>: String] {
    var titles: [Key<Subject>: String] = [:]
    for _ in 0..<(try readCount(ofSize: 17)) { titles[try readKey()] = try readTitle() }
    return titles
  }

  mutating func readBoard() throws(EncodingDamage) -> SharedBoard {
    let count = try readCount(ofSize: 18)
    guard count > 0 else { throw .invalid }
    var board = SharedBoard()
    for index in 0..<count {
      let (key, name): (SectionKey, String) = (
        try readKey(), try readText(max: 4 * Name.maxScalars)
      )
      do throws(BoardError) {
        if index == 0 {
          board = try SharedBoard(section: key, named: name)
        } else {
          try board.insertSection(key, named: name, at: index)
        }
      } catch { throw .invalid }
      for row in 0..<(try readCount(ofSize: 16)) {
        guard
          board.insert(try readKey(), try readRow(), at: IndexPath(section: index, row: row))
        else { throw .invalid }
      }
    }
    for _ in 0..<(try readCount(ofSize: 32)) { board.alias(try readKey(), as: try readKey()) }
    return board
  }
}
