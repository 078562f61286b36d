internal import BoardModel
internal import DragboardStore

/// What can be read of a damaged database.
struct Salvage {
  /// A block, and the revision that wrote it.
  struct Block {
    let block: StoredBlock
    let revision: Int64
  }

  private(set) var salt: [UInt8]?
  private(set) var counters: [Int64: Int64] = [:]
  private(set) var boards: [BoardID: SalvagedBoard] = [:]
  private(set) var sections: [BoardID: [(position: Int64, section: StoredSection)]] = [:]
  private(set) var blocks: [BoardID: [BlockID: Block]] = [:]
  /// The latest revision of each board that anything tells of.
  private(set) var revisions: [BoardID: Int64] = [:]
  /// Rows that are on no board: they are kept for an undo, or have been deleted.
  private(set) var absent: Set<RowID> = []
  /// The latest row that anything tells of.
  private(set) var lastRow = RowID(0)
  /// How many pages in use, and rows on those that can be read, make no sense.
  private(set) var unreadable = 0

  private let image: PageImage
  private let free: Set<Int>?
  private var used: Set<Int> = [1]

  /// Opens what is to be read.
  init(_ image: PageImage) {
    self.image = image
    free = image.freePages()
  }

  /// Reads every page that is in use, and has each representation taken as it is found.
  ///
  /// Pages that nothing leads to come last: where the list of free pages is lost, they may be such, and hold what was replaced. What
  /// has been found first counts.
  mutating func read(
    _ take: (SalvagedRepresentation) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let linked = free == nil ? linkedPages() : []
    // Without its first page no database is sound.
    if image.numbers.first != 1 { unreadable += 1 }
    for number in image.numbers where free == nil && linked.contains(number) {
      try read(number, take)
    }
    for number in image.numbers where !linked.contains(number) {
      guard free?.contains(number) != true else { continue }
      try read(number, take)
    }
    for number in image.numbers where !used.contains(number) {
      if free?.contains(number) != true { unreadable += 1 }
    }
    // Of the free pages some may never have been written.
    if image.count - image.numbers.count > free?.count ?? 0 { unreadable += 1 }
  }

  /// The pages that others lead to.
  private func linkedPages() -> Set<Int> {
    var linked: Set<Int> = []
    for number in image.numbers {
      if let page = BTreePage(number, of: image) { linked.formUnion(page.children) }
    }
    return linked
  }

  private mutating func read(
    _ number: Int, _ take: (SalvagedRepresentation) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    guard let page = BTreePage(number, of: image) else {
      if number == 1 { unreadable += 1 }
      return
    }
    used.insert(number)
    used.formUnion(page.overflow)
    unreadable += page.damaged
    for record in page.records {
      guard let row = SalvagedRow(record) else {
        // The index of words, and what SQLite keeps of the tables, has none like these.
        if record.values.count >= 5, record.values[0] == .null { unreadable += 1 }
        continue
      }
      if case .representation(let representation) = row {
        lastRow = max(lastRow, representation.row)
        try take(representation)
      } else {
        note(row)
      }
    }
  }

  private mutating func note(_ row: SalvagedRow) {
    switch row {
    case .board(let board):
      if boards[board.id] == nil { boards[board.id] = board }
      note(board.revision, of: board.id)
    case .section(let board, let position, let section):
      sections[board, default: []].append((position, section))
    case .block(let board, let block, let revision):
      note(block, revision, of: board)
    case .counter(let id, let next):
      // One that is beyond what can be counted tells as little as one that is lost.
      let plausible = Bounds.numbers ~= next ? next : RecoveredDatabase.leap
      counters[id] = max(plausible, counters[id] ?? 0)
    case .salt(let salt): self.salt = self.salt ?? salt
    case .step(let rows), .discarded(let rows): absent.formUnion(rows)
    case .log(let board, let revision): note(revision, of: board)
    case .representation: break
    }
  }

  private mutating func note(_ block: StoredBlock, _ revision: Int64, of board: BoardID) {
    note(revision, of: board)
    lastRow = max(lastRow, block.rows.lazy.map(\.row).max() ?? lastRow)
    if let other = blocks[board]?[block.id], other.revision >= revision { return }
    blocks[board, default: [:]][block.id] = Block(block: block, revision: revision)
  }

  private mutating func note(_ revision: Int64, of board: BoardID) {
    guard Bounds.revisions ~= revision else { return }
    revisions[board] = max(revision, revisions[board] ?? 1)
  }
}
