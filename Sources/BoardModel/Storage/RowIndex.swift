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
    let slot = cells[Self.cell(of: row, in: page)]
    return slot == Self.absent ? nil : Int(slot)
  }

  /// Puts rows into a block, whether or not they have been in another; gives how many had been in
  /// none.
  @discardableResult
  mutating func assign(_ rows: some Sequence<RowEntry>, to slot: Int) -> Int {
    var run = PageRun()
    var newCount = 0
    for entry in rows {
      let row = entry.row
      if !run.holds(row) {
        run = PageRun(number: row.rawValue >> Self.pageBits, page: page(for: row))
      }
      let cell = Self.cell(of: row, in: run.page)
      if cells[cell] == Self.absent {
        liveCounts[Int(run.page)] += 1
        newCount += 1
      }
      cells[cell] = UInt32(truncatingIfNeeded: slot)
    }
    return newCount
  }

  /// Forgets the rows; those that are not there are passed over.
  mutating func remove(_ rows: some Sequence<RowEntry>) {
    var run = PageRun()
    for entry in rows {
      let row = entry.row
      if !run.holds(row) {
        guard let page = pages[row.rawValue >> Self.pageBits] else { continue }
        run = PageRun(number: row.rawValue >> Self.pageBits, page: page)
      }
      let cell = Self.cell(of: row, in: run.page)
      guard cells[cell] != Self.absent else { continue }
      cells[cell] = Self.absent
      liveCounts[Int(run.page)] -= 1
      if liveCounts[Int(run.page)] == 0 {
        release(run)
        run = PageRun()
      }
    }
  }

  /// The page that a loop over rows is at: most often the next row is on it too.
  private struct PageRun {
    var number = UInt64.max
    var page: UInt32 = 0

    func holds(_ row: RowID) -> Bool { row.rawValue >> RowIndex.pageBits == number }
  }

  private static func cell(of row: RowID, in page: UInt32) -> Int {
    Int(page) << pageBits | Int(row.rawValue) & (pageSize - 1)
  }

  /// The page for the row, made where there is none.
  private mutating func page(for row: RowID) -> UInt32 {
    let number = row.rawValue >> Self.pageBits
    if let page = pages[number] { return page }
    let page = freePages.popLast() ?? UInt32(truncatingIfNeeded: liveCounts.count)
    if Int(page) == liveCounts.count {
      liveCounts.append(0)
      cells.append(contentsOf: repeatElement(Self.absent, count: Self.pageSize))
    }
    pages[number] = page
    return page
  }

  /// Gives back a page without rows; with the last one, all memory.
  private mutating func release(_ run: PageRun) {
    pages[run.number] = nil
    freePages.append(run.page)
    if pages.isEmpty { self = RowIndex() }
  }
}
