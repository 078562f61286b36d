internal import BoardModel
internal import DragModel
internal import DragboardStore

/// A row of one of the store's tables.
///
/// The columns of a row show its table. So the recovery works even if the table of a page is
/// unknown.
enum SalvagedRow {
  case board(SalvagedBoard)
  case section(BoardNumber, position: Int64, StoredSection)
  case block(BoardNumber, StoredBlock, revision: Int64)
  case representation(SalvagedRepresentation)
  case counter(id: Int64, next: Int64)
  case salt([UInt8])
  /// The rows that are retained for an undo.
  case step([RowID])
  /// The rows that are no longer on a board.
  case discarded([RowID])
  /// A revision that the board has reached.
  case log(BoardNumber, revision: Int64)

  /// Identifies a row; nil if it belongs to a table that recovery does not copy.
  init?(_ record: SalvagedRecord) {
    let row: SalvagedRow? =
      switch record.values.count {
      case 1: Self.salt(record.values[0])
      case 2: Self.pair(record.id, record.values[0], record.values[1])
      case 3: Self.log(record.id, record.values)
      case 4: Self.section(record.values) ?? Self.log(record.id, record.values)
      case 5: Self.step(record.values) ?? Self.block(record.id, record.values)
      case 6: Self.step(record.values)
      default: Self.large(record)
      }
    guard let row else { return nil }
    self = row
  }

  private static func salt(_ value: SalvagedValue) -> SalvagedRow? {
    guard case .blob(let salt) = value, salt.count == 16 else { return nil }
    return .salt(salt)
  }

  private static func pair(
    _ id: Int64, _ first: SalvagedValue, _ second: SalvagedValue
  ) -> SalvagedRow? {
    switch (first, second) {
    case (.null, .integer(let next)) where id > 0 && next > 0: .counter(id: id, next: next)
    // The full-text index has rows of this form, too. They are harmless, because they rarely name
    // an existing row.
    case (.null, .blob(let rows)): entries(rows).map { .discarded($0.map(\.row)) }
    default: nil
    }
  }

  private static func log(_ id: Int64, _ values: [SalvagedValue]) -> SalvagedRow? {
    guard case (.null, .integer, .blob) = (values[0], values[1], values[2]) else { return nil }
    return .log(HistoryKey.board(id), revision: Int64(clamping: HistoryKey.number(id)))
  }

  private static func section(_ values: [SalvagedValue]) -> SalvagedRow? {
    guard
      case (.integer(let board), .integer(let position), .integer(let id), .text(let name)) =
        (values[0], values[1], values[2], values[3]), let id = UInt32(exactly: id)
    else { return nil }
    let section = StoredSection(id: SectionID(id), name: String(decoding: name, as: UTF8.self))
    return .section(BoardNumber(board), position: position, section)
  }

  private static func step(_ values: [SalvagedValue]) -> SalvagedRow? {
    guard
      case (.integer, .blob(let operations), .blob(let kept)) = (values[2], values[3], values[4])
    else { return nil }
    let returning = (try? UndoStep(bytes: operations))?.returningRows ?? []
    return .step(returning + (entries(kept) ?? []).map(\.row))
  }

  private static func block(_ id: Int64, _ values: [SalvagedValue]) -> SalvagedRow? {
    guard
      case (.null, .integer(let section), .integer(let revision), .blob(let rows)) =
        (values[0], values[1], values[3], values[4]),
      let section = UInt32(exactly: section), let rows = entries(rows),
      1...StoredBlock.maxRows ~= rows.count,
      rows.allSatisfy({ $0.row.rawValue < Bounds.numbers.upperBound })
    else { return nil }
    var next: BlockID?
    if case .integer(let number) = values[2] {
      next = BlockID(UInt32(truncatingIfNeeded: number))
    }
    let block = StoredBlock(
      id: BlockID(UInt32(truncatingIfNeeded: id)), section: SectionID(section), next: next,
      rows: rows)
    return .block(BlockKey.board(id), block, revision: revision)
  }

  private static func large(_ record: SalvagedRecord) -> SalvagedRow? {
    SalvagedBoard(record).map { .board($0) }
      ?? SalvagedRepresentation(record).map { .representation($0) }
  }

  private static func entries(_ bytes: [UInt8]) -> [RowEntry]? {
    guard bytes.count.isMultiple(of: MemoryLayout<RowEntry>.stride) else { return nil }
    return bytes.withUnsafeBytes { [RowEntry](packed: $0) }
  }
}

/// The row of a board in the table `board`.
struct SalvagedBoard {
  let id: BoardNumber
  var path: String
  var name: String
  let revision: Int64
  let maxRows: Int64
  let movesMultipleRows: Bool
  /// The accepted types, separated by line feeds.
  let acceptedTypes: String
  /// The time of the deletion in microseconds since 1970; nil for a board in use.
  let deleted: Int64?
  /// The size of a deleted board.
  let byteCount: Int64?
  /// The values of `RetainRows`, `RetainSeconds` and `MovesDuplicates`; 0 in records of earlier
  /// releases.
  let retention: [Int64]

  init?(_ record: SalvagedRecord) {
    let values = record.values
    guard [7, 10, 13].contains(values.count), record.id > 0,
      case (.null, .text(let path), .text(let name)) = (values[0], values[1], values[2]),
      case (.integer(let revision), .integer(let maxRows), .integer(let moves), .text(let types)) =
        (values[3], values[4], values[5], values[6])
    else { return nil }
    id = BoardNumber(record.id)
    self.path = String(decoding: path, as: UTF8.self)
    self.name = String(decoding: name, as: UTF8.self)
    self.revision = revision
    self.maxRows = maxRows
    movesMultipleRows = moves != 0
    acceptedTypes = String(decoding: types, as: UTF8.self)
    deleted = values.count > 7 ? values[7].integer : nil
    byteCount = values.count > 9 ? values[9].integer : nil
    retention = (10..<13).map { $0 < values.count ? values[$0].integer ?? 0 : 0 }
  }

  /// Creates the settings for a board whose own settings are lost.
  init(_ id: BoardNumber, called name: String) {
    (self.id, path, self.name, revision) = (id, name, name, 1)
    (maxRows, movesMultipleRows) = (0, false)
    acceptedTypes = TypeQuery.any.description
    (deleted, byteCount) = (nil, nil)
    retention = [0, 0, 0]
  }
}

/// A representation of a row.
struct SalvagedRepresentation {
  let key: Int64
  let type: String?
  let created: Int64?
  let source: String?
  let name: String?
  let preview: String?
  let data: [UInt8]
  /// The number of bytes of the content's file; nil if `data` contains the content itself.
  let file: Int64?
  /// The checksum of the bytes in the file.
  let sum: Int64?
  let modified: Int64?
  let application: String?
  let stack: String?
  /// Whether the row has a digest of its content.
  let hasDigest: Bool
  /// The number of the row's renewal; nil if no duplicate has renewed it.
  let renewal: Int64?
  let sandbox: String?
  /// The permissions of the file.
  let mode: Int64?

  init?(_ record: SalvagedRecord) {
    let values = record.values
    guard 7...16 ~= values.count, Bounds.numbers ~= record.id >> 8, case .null = values[0],
      case .blob(let data) = values[6], [.text, .null].contains(values[1].kind),
      [.integer, .null].contains(values[2].kind),
      values[3...5].allSatisfy({ [.text, .null].contains($0.kind) })
    else { return nil }
    file = values.count > 7 ? values[7].integer : nil
    sum = values.count > 8 ? values[8].integer : nil
    modified = values.count > 9 ? values[9].integer : nil
    application = values.count > 10 ? values[10].string : nil
    stack = values.count > 11 ? values[11].string : nil
    hasDigest = values.count > 12 && values[12] != .null
    renewal = values.count > 13 ? values[13].integer : nil
    sandbox = values.count > 14 ? values[14].string : nil
    mode = values.count > 15 ? values[15].integer : nil
    guard file == nil || ContentID(data) != nil else { return nil }
    (key, self.data, type, created) = (record.id, data, values[1].string, values[2].integer)
    (source, name, preview) = (values[3].string, values[4].string, values[5].string)
  }

  /// The row that has the representation.
  var row: RowID { RowID(UInt64(bitPattern: key) >> 8) }
}

extension SalvagedValue {
  fileprivate enum Kind { case null, integer, text, blob }

  fileprivate var kind: Kind {
    switch self {
    case .null: .null
    case .integer: .integer
    case .text: .text
    case .blob: .blob
    }
  }

  fileprivate var string: String? {
    if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  fileprivate var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
}
