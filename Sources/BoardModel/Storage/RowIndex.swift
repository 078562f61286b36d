/// A map from rows to their blocks.
///
/// Row numbers are almost consecutive. So a page covers 64 consecutive numbers, and only pages are
/// found by hash. This takes 5 to 8 bytes for each row, and one look-up for a run of rows.
struct RowIndex: Sendable {
  private static let pageBits: UInt64 = 6
  private static let pageSize = 1 << pageBits
  private static let absent = UInt32.max

  /// The index of each page in `cells`, by the page's number: a row's number without its lowest
  /// bits.
  private var pages: [UInt64: UInt32] = [:]

  /// The pages, 64 cells each; a cell contains the slot of the row's block, or `absent`.
  private var cells: [UInt32] = []

  /// For each page, the number of cells that are not absent.
  private var liveCounts: [UInt8] = []

  /// The unused pages of `cells`.
  private var freePages: [UInt32] = []

  /// Reserves memory for rows with consecutive numbers.
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

  /// Returns the slots of rows, up to the first row without a slot.
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

  /// Returns the rows with the highest numbers, the highest first.
  ///
  /// O(pages + `count`)
  func newest(_ count: Int) -> [RowID] {
    var rows: [RowID] = []
    rows.reserveCapacity(min(count, liveCounts.count * Self.pageSize))
    for number in highestPages(count) {
      guard let page = pages[number] else { continue }
      for cell in (0..<Self.pageSize).reversed()
      where cells[Int(page) << Self.pageBits | cell] != Self.absent {
        guard rows.count < count else { return rows }
        rows.append(RowID(number << Self.pageBits | UInt64(cell)))
      }
    }
    return rows
  }

  /// Returns the numbers of at least the `count` highest pages, in descending order; all numbers if
  /// there are fewer pages.
  private func highestPages(_ count: Int) -> [UInt64] {
    var numbers = [UInt64](pages.keys)
    // The keys are in random order, so the median of some of them is close to the median of all.
    while numbers.count > 4 * max(count, 64) {
      let median = numbers.prefix(63).sorted()[31]
      let upper = numbers.filter { $0 >= median }
      guard upper.count >= count, upper.count < numbers.count else { break }
      numbers = upper
    }
    return numbers.sorted(by: >)
  }

  /// Assigns rows to a block; returns the number of rows that had no block before.
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

  /// Assigns each new row its offset in the list as its slot.
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

  /// Assigns the rows of blocks, whose slots are their offsets; throws if a row occurs twice.
  mutating func restore(_ blocks: [StoredBlock], rowCount: Int) throws(BoardDamage) {
    reserve(rowCount)
    for (slot, block) in blocks.enumerated() {
      guard assign(block.rows, to: slot) < block.rows.count else { continue }
      var seen: Set<RowID> = []
      let rows = blocks[...slot].lazy.flatMap { $0.rows }.map(\.row)
      throw .rowTwice(rows.first { !seen.insert($0).inserted } ?? RowID(0), in: block.id)
    }
  }

  /// Removes rows; ignores rows that are absent.
  mutating func remove(_ rows: some Collection<RowEntry>) {
    forEachRun(of: rows) { index, number, run in
      guard let page = index.pages[number].map(Int.init) else { return }
      let removed = -index.set(run, in: page, to: Self.absent)
      index.liveCounts[page] -= UInt8(truncatingIfNeeded: removed)
      if index.liveCounts[page] == 0 { index.release(page, numbered: number) }
    }
  }

  /// Calls `body` with each run of rows of one page.
  ///
  /// Usually the next row is on the same page.
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

  /// Sets the cells of rows of one page; returns the increase of the number of used cells.
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

  /// Returns the page with this number; creates it if necessary.
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

  /// Releases an empty page; releases all memory with the last page.
  private mutating func release(_ page: Int, numbered number: UInt64) {
    pages[number] = nil
    freePages.append(UInt32(truncatingIfNeeded: page))
    if pages.isEmpty { self = RowIndex() }
  }
}
