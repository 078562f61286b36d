/// The sections of a board and their rows, in blocks; it keeps order and knows no rules.
///
/// Whatever it is asked for must be there: indexes and rows are checked by whoever asks. Its parts
/// are changed by its own extensions alone.
struct RowStorage: Sendable {
  /// The most rows of a block.
  let capacity: Int

  /// The sections in order.
  var sections: [Section] = []

  /// How many rows all sections have.
  var rowCount = 0

  /// The blocks, in no order; a slot of the array is used again.
  var blocks: [Block] = []
  var freeSlots: [Int] = []
  var index = RowIndex()

  var lastBlock: UInt32 = 0
  var lastSection: UInt32 = 0
  var unsaved = Unsaved()

  /// What takes back the latest edit.
  var recorded = UndoRecord()

  /// Makes a storage without sections.
  init(capacity: Int) {
    self.capacity = capacity
  }
}

extension RowStorage {
  /// Whether the row is there.
  ///
  /// O(1).
  func contains(_ row: RowID) -> Bool { index[row] != nil }

  /// The block that holds the row, and its offset there.
  ///
  /// O(1).
  func place(of row: RowID) -> BlockPlace? {
    guard let slot = index[row], let offset = blocks[slot].offset(of: row) else { return nil }
    return BlockPlace(slot: slot, offset: offset)
  }

  /// Where the row stands.
  ///
  /// O(blocks), with small constants.
  func indexPath(of row: RowID) -> IndexPath? {
    guard let place = place(of: row), let start = start(ofBlock: place.slot) else { return nil }
    return IndexPath(section: start.section, row: start.row + place.offset)
  }

  /// Where the block's first row stands.
  func start(ofBlock slot: Int) -> IndexPath? {
    guard let section = sections.firstIndex(where: { $0.id == blocks[slot].section }),
      let position = sections[section].blocks.position(of: slot)
    else { return nil }
    return IndexPath(section: section, row: sections[section].blocks.start(at: position))
  }

  /// Where each of the rows stands, all of which are there.
  func indexPaths(of rows: [RowID]) -> [IndexPath] {
    guard rows.count > 16 else { return rows.compactMap(indexPath(of:)) }
    let starts = blockStarts()
    return rows.compactMap { row in
      place(of: row).map { place in
        let start = starts[place.slot]
        return IndexPath(section: start.section, row: start.row + place.offset)
      }
    }
  }

  /// By slot: where the block's first row stands.
  func blockStarts() -> [IndexPath] {
    var starts = [IndexPath](repeating: IndexPath(section: 0, row: 0), count: blocks.count)
    for section in sections.indices {
      var row = 0
      for slot in sections[section].blocks.slots {
        starts[Int(slot)] = IndexPath(section: section, row: row)
        row += blocks[Int(slot)].rows.count
      }
    }
    return starts
  }

  /// The row with its gates.
  ///
  /// O(1).
  func entry(of row: RowID) -> RowEntry? {
    place(of: row).map { blocks[$0.slot].rows[$0.offset] }
  }

  /// What stands there.
  func entry(at path: IndexPath) -> RowEntry {
    let (position, offset) = sections[path.section].blocks.place(of: path.row)
    return blocks[Int(sections[path.section].blocks.slots[position])].rows[offset]
  }

  /// The rows of that range of a section.
  func entries(inSection section: Int, _ range: Range<Int>) -> [RowEntry] {
    guard !range.isEmpty else { return [] }
    var result: [RowEntry] = []
    result.reserveCapacity(range.count)
    var (position, offset) = sections[section].blocks.place(of: range.lowerBound)
    while result.count < range.count {
      let rows = blocks[Int(sections[section].blocks.slots[position])].rows
      result.append(contentsOf: rows[offset...].prefix(range.count - result.count))
      position += 1
      offset = 0
    }
    return result
  }

  /// Goes over the rows of a section, block by block.
  func forEachRun(inSection section: Int, _ body: ([RowEntry]) -> Void) {
    for slot in sections[section].blocks.slots { body(blocks[Int(slot)].rows) }
  }

  /// How many rows of a section are those of the list at its beginning and, of the rest, at its
  /// end.
  func commonEnds(ofSection section: Int, _ rows: [RowID]) -> (prefix: Int, suffix: Int) {
    let runs = sections[section].blocks.slots.lazy.map { blocks[Int($0)].rows }
    let prefix = commonCount(runs, rows)
    let rest = min(rows.count, sections[section].rowCount) - prefix
    let suffix = commonCount(runs.reversed().lazy.map { $0.reversed() }, rows.reversed())
    return (prefix, min(suffix, rest))
  }

  /// How many rows at the beginning of the runs are those of the list.
  private func commonCount(
    _ runs: some Sequence<some Sequence<RowEntry>>, _ rows: some Sequence<RowID>
  ) -> Int {
    var count = 0
    var rows = rows.makeIterator()
    for run in runs {
      for entry in run {
        guard entry.row == rows.next() else { return count }
        count += 1
      }
    }
    return count
  }
}
