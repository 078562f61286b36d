internal import BoardModel
internal import DragboardStore
internal import SQLite

/// All readable data of a damaged database.
///
/// The pages are decoded here, because SQLite finds rows only by way of the first page and the root
/// pages. The alternative was measured on the 592 damaged databases of the tests: reading ranges of
/// row ids with SQL, and halving a range at each error. In 533 databases SQL found every row that is
/// found here. In the other 59 it found none of them: the first page or the root of `representation`
/// was lost or exchanged, or only the log had pages. If the first page was replaced by that of a new
/// database, there were still 57.
struct Salvage {
  /// A block and the revision that wrote it.
  struct Block {
    let block: StoredBlock
    let revision: Int64
  }

  private(set) var salt: [UInt8]?
  private(set) var counters: [Int64: Int64] = [:]
  private(set) var boards: [BoardNumber: SalvagedBoard] = [:]
  private(set) var sections: [BoardNumber: [(position: Int64, section: StoredSection)]] = [:]
  private(set) var blocks: [BoardNumber: [BlockID: Block]] = [:]
  /// The latest known revision of each board.
  private(set) var revisions: [BoardNumber: Int64] = [:]
  /// The rows that are on no board, because they are retained for an undo or were deleted.
  private(set) var absent: Set<RowID> = []
  /// The highest known row number.
  private(set) var lastRow = RowID(0)
  /// The number of unreadable pages in use, plus the number of undecodable rows on other pages.
  private(set) var unreadable = 0

  private let image: PageImage
  private let free: Set<Int>?
  private var used: Set<Int> = [1]

  /// Opens a database for reading.
  init(_ image: PageImage) {
    self.image = image
    free = image.freePages()
  }

  /// Reads every page in use, and calls `take` with each representation.
  ///
  /// If several versions of a representation exist, the first is used. If the free list is lost,
  /// pages to which no page links are read last, because they may be free pages with outdated rows.
  mutating func read(
    _ take: (SalvagedRepresentation) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let linked = free == nil ? linkedPages() : []
    // The first page has the schema. Without this page the database is damaged.
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
    // Unreadable pages may be free pages that were never written, so only a larger number is
    // counted.
    if image.count - image.numbers.count > free?.count ?? 0 { unreadable += 1 }
  }

  /// Returns the pages that other pages link to.
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
        // No row of the full-text index or of SQLite's schema has this form, so this row is a row
        // of the store that cannot be decoded.
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
      // A counter that is out of range is treated as lost.
      let plausible = Bounds.numbers ~= next ? next : RecoveredDatabase.leap
      counters[id] = max(plausible, counters[id] ?? 0)
    case .salt(let salt): self.salt = self.salt ?? salt
    case .step(let rows), .discarded(let rows): absent.formUnion(rows)
    case .log(let board, let revision): note(revision, of: board)
    case .representation: break
    }
  }

  private mutating func note(_ block: StoredBlock, _ revision: Int64, of board: BoardNumber) {
    note(revision, of: board)
    lastRow = max(lastRow, block.rows.lazy.map(\.row).max() ?? lastRow)
    if let other = blocks[board]?[block.id], other.revision >= revision { return }
    blocks[board, default: [:]][block.id] = Block(block: block, revision: revision)
  }

  private mutating func note(_ revision: Int64, of board: BoardNumber) {
    guard Bounds.revisions ~= revision else { return }
    revisions[board] = max(revision, revisions[board] ?? 1)
  }
}
