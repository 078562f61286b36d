private enum Code: UInt8 {
  case local = 1
  case cut = 2
  case entry = 3
  case intent = 4
  case applied = 5
  case cancelled = 6
  case synced = 7
  case renewed = 8
  case replaced = 9
  case settled = 10
  case condensed = 11
  case rebuilt = 12
  case history = 13
  case moved = 14
}

extension ReplicaEvent {
  /// The binary encoding.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .local(let local):
      writer.write(.local)
      writer.write(local.revision)
      writer.write(byte: local.wasIntentApplied ? 1 : 0)
      writer.write(local.items.count)
      for new in local.items {
        writer.write(new.key)
        writer.write(new.item)
      }
      writer.write(local.edits)
    case .cut(let count):
      writer.write(.cut)
      writer.write(count)
    case .entry(let entry, let received):
      writer.write(.entry)
      writer.write(received)
      writer.write(entry.number)
      writer.write(entry.batch)
    case .intent(let intent):
      writer.write(.intent)
      writer.write(intent.items.count)
      for item in intent.items { writer.write(item) }
      writer.write(intent.edits)
    case .applied(let revision):
      writer.write(.applied)
      writer.write(revision)
    case .cancelled: writer.write(.cancelled)
    case .synced: writer.write(.synced)
    case .renewed(let key):
      writer.write(.renewed)
      writer.write(key)
    case .replaced(let time):
      writer.write(.replaced)
      writer.write(time)
    case .settled(let rows):
      writer.write(.settled)
      writer.write(rows.count)
      for key in rows { writer.write(key) }
    case .condensed: writer.write(.condensed)
    case .rebuilt(let board, let time):
      writer.write(.rebuilt)
      writer.write(time)
      writer.write(board)
    case .history(let history):
      writer.write(.history)
      writer.write(history.text)
      writer.write(history.later)
    case .moved(let move):
      writer.write(.moved)
      writer.write(move.log)
      writer.write(move.start)
      writer.write(move.received)
      writer.write(move.snapshot?.bytes ?? [])
    }
    return writer.bytes
  }

  /// Decodes an event.
  public init(bytes: [UInt8]) throws(EncodingDamage) {
    var reader = ByteReader(bytes)
    guard let code = Code(rawValue: try reader.readByte()) else { throw .invalid }
    switch code {
    case .local:
      let (revision, applied) = (try reader.readNumber(), try reader.readByte() == 1)
      var items: [LocalEdits.NewItem] = []
      for _ in 0..<(try reader.readCount(ofSize: 32)) {
        items.append(.init(key: try reader.readKey(), item: try reader.readKey()))
      }
      self = .local(
        LocalEdits(
          revision: revision, wasIntentApplied: applied, items: items,
          edits: try reader.readEdits()))
    case .cut: self = .cut(Int(clamping: try reader.readNumber()))
    case .entry:
      let received = try reader.readNumber()
      self = .entry(
        LogEntry(number: try reader.readNumber(), batch: try reader.readData()),
        received: received)
    case .intent:
      var items: [ItemKey] = []
      for _ in 0..<(try reader.readCount(ofSize: 16)) { items.append(try reader.readKey()) }
      self = .intent(Intent(edits: try reader.readEdits(), items: items))
    case .applied: self = .applied(revision: try reader.readNumber())
    case .cancelled: self = .cancelled
    case .synced: self = .synced
    case .renewed: self = .renewed(try reader.readKey())
    case .replaced: self = .replaced(try reader.readNumber())
    case .settled:
      var rows: [RowKey] = []
      for _ in 0..<(try reader.readCount(ofSize: 16)) { rows.append(try reader.readKey()) }
      self = .settled(waiting: rows)
    case .condensed: self = .condensed
    case .rebuilt:
      let time = try reader.readNumber()
      self = .rebuilt(try reader.readBoard(), time: time)
    case .history:
      let text = try reader.readText(max: Replica.maxHistoryBytes)
      // Earlier events end here.
      let later = reader.remaining == 0 ? 0 : try reader.readNumber()
      self = .history(RevisionHistory(text, later: later))
    case .moved:
      let log: LogID = try reader.readKey()
      let (start, received) = (try reader.readNumber(), try reader.readNumber())
      let snapshot = try reader.readData()
      self = .moved(
        LogMove(
          log: log, start: start, received: received,
          snapshot: snapshot.isEmpty ? nil : try LogSnapshot(bytes: snapshot)))
    }
    try reader.finish()
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ code: Code) { write(byte: code.rawValue) }

  mutating func write(_ edits: [SharedEdit]) {
    write(edits.count)
    for edit in edits { write(edit) }
  }
}

extension ByteReader {
  mutating func readEdits() throws(EncodingDamage) -> [SharedEdit] {
    var edits: [SharedEdit] = []
    for _ in 0..<(try readCount(ofSize: 17)) { edits.append(try readEdit()) }
    return edits
  }
}
