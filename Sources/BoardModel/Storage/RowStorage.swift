/// The sections of a board and their rows, in blocks.
///
/// The storage does not check arguments: indexes and rows must be valid. Only its extensions change
/// its properties.
struct RowStorage: Sendable {
  /// The maximum number of rows of a block.
  let capacity: Int

  var sections: [Section] = []

  /// The number of rows of all sections.
  var rowCount = 0

  var blocks = BlockTable()
  var index = RowIndex()
  var lastSection: UInt32 = 0

  /// Whether sections were inserted, removed, moved or renamed since the storage was saved.
  var hasUnsavedSections = false

  /// The rows that were removed since the storage was saved; some may have been inserted again.
  var removedRows: [RowID] = []

  /// Creates a storage without sections.
  init(capacity: Int) {
    self.capacity = capacity
  }
}

extension RowStorage {
  /// Returns whether the row exists.
  ///
  /// O(1).
  func contains(_ row: RowID) -> Bool { index[row] != nil }

  /// Returns the block of a row, and the row's offset in it.
  ///
  /// O(1).
  func place(of row: RowID) -> BlockPosition? {
    guard let slot = index[row], let offset = blocks[slot].offset(of: row) else { return nil }
    return BlockPosition(slot: slot, offset: offset)
  }

  /// Returns the path of a row.
  ///
  /// O(blocks), with small constants.
  func indexPath(of row: RowID) -> IndexPath? {
    guard let place = place(of: row), let start = start(ofBlock: place.slot) else { return nil }
    return IndexPath(section: start.section, row: start.row + place.offset)
  }

  /// Returns the path of a block's first row.
  func start(ofBlock slot: Int) -> IndexPath? {
    guard let section = sections.firstIndex(where: { $0.id == blocks[slot].section }),
      let position = sections[section].blocks.position(of: slot)
    else { return nil }
    return IndexPath(section: section, row: sections[section].blocks.start(at: position))
  }

  /// Returns the paths of rows, which must exist.
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

  /// Returns the path of the first row of each block, by slot.
  func blockStarts() -> [IndexPath] {
    var starts = [IndexPath](repeating: IndexPath(section: 0, row: 0), count: blocks.slotCount)
    for section in sections.indices {
      var row = 0
      for slot in sections[section].blocks.slots {
        starts[Int(slot)] = IndexPath(section: section, row: row)
        row += blocks[Int(slot)].rows.count
      }
    }
    return starts
  }

  /// Returns a row with its flags.
  ///
  /// O(1).
  func entry(of row: RowID) -> RowEntry? {
    place(of: row).map { blocks[$0.slot].rows[$0.offset] }
  }

  func entry(at path: IndexPath) -> RowEntry {
    let (position, offset) = sections[path.section].blocks.place(of: path.row)
    return blocks[Int(sections[path.section].blocks.slots[position])].rows[offset]
  }

  /// Returns the rows of a range of a section.
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

  /// Returns the rows of a section, block by block.
  func runs(ofSection section: Int) -> some BidirectionalCollection<[RowEntry]> {
    sections[section].blocks.slots.lazy.map { blocks[Int($0)].rows }
  }

  /// Returns the number of rows of a section; nil if there is no such section.
  func rowCount(inSection section: Int) -> Int? {
    sections.indices ~= section ? sections[section].rowCount : nil
  }

  /// Returns the row at a path; nil if there is none.
  func row(at path: IndexPath) -> RowID? {
    guard let count = rowCount(inSection: path.section), 0..<count ~= path.row else { return nil }
    return entry(at: path).row
  }
}
