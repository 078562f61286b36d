/// Which block each row stands in.
///
/// Rows are numbered nearly one after the other, so a page holds 64 consecutive numbers, and only
/// pages are looked up by hash: 5 to 8 bytes a row, and one look-up for a whole run of rows.
struct RowIndex: Sendable {
  private static let pageBits: UInt64 = 6
  private static let pageSize = 1 << pageBits
  private static let absent = UInt32.max

  /// From the page's number (that of a row without its lowest bits) to its place in `cells`.
  private var pages: [UInt64: UInt32] = [:]

  /// The pages, 64 cells each: the slot of the row's block, or `absent`.
  private var cells: [UInt32] = []

  /// By page: how many of its cells are not absent.
  private var liveCounts: [UInt8] = []

  /// Pages of `cells` that are not in use.
  private var freePages: [UInt32] = []

  /// Makes room for that many rows, numbered one after the other.
  mutating func reserve(_ rowCount: Int) {
    let pageCount = rowCount / Self.pageSize + 1
    pages.reserveCapacity(pageCount)
    liveCounts.reserveCapacity(pageCount)
    cells.reserveCapacity(pageCount * Self.pageSize)
  }

  /// The slot of the row's block.
  subscript(row: RowID) -> Int? {
    guard let page = pages[row.rawValue >> Self.pageBits] else { return nil }
    let slot = cells[Self.cell(of: row, in: Int(page))]
    return slot == Self.absent ? nil : Int(slot)
  }

  /// The slots of rows, up to the first that has none.
  func slots(of rows: some Sequence<RowID>) -> [Int] {
    var slots: [Int] = []
    slots.reserveCapacity(rows.underestimatedCount)
    var (number, page): (UInt64?, UInt32?) = (nil, nil)
    for row in rows {
      if row.rawValue >> Self.pageBits != number {
        number = row.rawValue >> Self.pageBits
        page = pages[row.rawValue >> Self.pageBits]
      }
      guard let page else { break }
      let slot = cells[Self.cell(of: row, in: Int(page))]
      guard slot != Self.absent else { break }
      slots.append(Int(slot))
    }
    return slots
  }

  /// Puts rows into a block, whether or not they have been in another; gives how many had been in
  /// none.
  @discardableResult
  mutating func assign(_ rows: some Collection<RowEntry>, to slot: Int) -> Int {
    let slot = UInt32(truncatingIfNeeded: slot)
    var newCount = 0
    forEachRun(of: rows) { index, number, run in
      let page = index.page(numbered: number)
      let added = index.set(run, in: page, to: slot)
      index.liveCounts[page] += UInt8(truncatingIfNeeded: added)
      newCount += added
    }
    return newCount
  }

  /// Gives rows, which are new, their offsets in the list as slots.
  mutating func number(_ rows: [RowEntry]) {
    reserve(rows.count)
    var next: UInt32 = 0
    forEachRun(of: rows) { index, number, run in
      let page = index.page(numbered: number)
      index.liveCounts[page] += UInt8(truncatingIfNeeded: run.count)
      for entry in run {
        index.cells[Self.cell(of: entry.row, in: page)] = next
        next += 1
      }
    }
  }

  /// Forgets the rows; those that are not there are passed over.
  mutating func remove(_ rows: some Collection<RowEntry>) {
    forEachRun(of: rows) { index, number, run in
      guard let page = index.pages[number].map(Int.init) else { return }
      let removed = -index.set(run, in: page, to: Self.absent)
      index.liveCounts[page] -= UInt8(truncatingIfNeeded: removed)
      if index.liveCounts[page] == 0 { index.release(page, numbered: number) }
    }
  }

  /// Goes over rows in runs of one page: most often the next row is on it too.
  private mutating func forEachRun<Rows: Collection<RowEntry>>(
    of rows: Rows, _ body: (inout RowIndex, UInt64, Rows.SubSequence) -> Void
  ) {
    var rest = rows[...]
    while let first = rest.first {
      let number = first.row.rawValue >> Self.pageBits
      let run = rest.prefix { $0.row.rawValue >> Self.pageBits == number }
      body(&self, number, run)
      rest = rest[run.endIndex...]
    }
  }

  /// Sets the cells of rows of one page; gives how many more of them are in use than before.
  private mutating func set(
    _ run: some Collection<RowEntry>, in page: Int, to slot: UInt32
  ) -> Int {
    cells.withUnsafeMutableBufferPointer { cells in
      var added = 0
      for entry in run {
        let cell = Self.cell(of: entry.row, in: page)
        added += (slot == Self.absent ? 0 : 1) - (cells[cell] == Self.absent ? 0 : 1)
        cells[cell] = slot
      }
      return added
    }
  }

  private static func cell(of row: RowID, in page: Int) -> Int {
    page << pageBits | Int(truncatingIfNeeded: row.rawValue) & (pageSize - 1)
  }

  /// The page of that number, made where there is none.
  private mutating func page(numbered number: UInt64) -> Int {
    if let page = pages[number] { return Int(page) }
    let page = freePages.popLast() ?? UInt32(truncatingIfNeeded: liveCounts.count)
    if page == liveCounts.count {
      liveCounts.append(0)
      cells.append(contentsOf: repeatElement(Self.absent, count: Self.pageSize))
    }
    pages[number] = page
    return Int(page)
  }

  /// Gives back a page without rows; with the last one, all memory.
  private mutating func release(_ page: Int, numbered number: UInt64) {
    pages[number] = nil
    freePages.append(UInt32(truncatingIfNeeded: page))
    if pages.isEmpty { self = RowIndex() }
  }
}
