/// A run of consecutive rows of one section.
struct Block: Sendable {
  /// The id on disk.
  let id: BlockID

  let section: SectionID

  /// The rows in order.
  ///
  /// Outside of an edit, a used block has at least one row.
  var rows: [RowEntry]

  /// Whether the store has a block with this id.
  var isStored = false

  /// Returns the offset of a row in the block.
  func offset(of row: RowID) -> Int? {
    rows.firstIndex { $0.row == row }
  }

  /// Returns the rows at ascending offsets as runs; `start` is the path of the block's first row.
  func runs(atOffsets offsets: some Sequence<Int>, from start: IndexPath) -> [RowRun] {
    offsets.reduce(into: []) { runs, offset in
      let path = IndexPath(section: start.section, row: start.row + offset)
      runs.append(CollectionOfOne(rows[offset]), at: path)
    }
  }
}

extension [RowEntry] {
  /// Removes the rows at ascending offsets.
  mutating func remove(atOffsets offsets: some Sequence<Int>) {
    var offsets = offsets.makeIterator()
    var doomed = offsets.next()
    var kept = doomed ?? count
    for offset in kept..<count {
      if offset == doomed {
        doomed = offsets.next()
      } else {
        self[kept] = self[offset]
        kept += 1
      }
    }
    removeLast(count - kept)
  }
}

/// The position of a row: a block, and an offset in it.
struct BlockPosition: Comparable {
  let slot: Int
  let offset: Int

  static func < (one: BlockPosition, other: BlockPosition) -> Bool {
    (one.slot, one.offset) < (other.slot, other.offset)
  }
}

struct Section: Sendable {
  /// The id on disk.
  let id: SectionID

  var name: String

  var blocks = BlockList()

  var rowCount: Int { blocks.rowCount }
}
