/// A run of consecutive rows of one section.
struct Block: Sendable {
  /// Its id on disk.
  let id: BlockID

  /// The section that it belongs to.
  let section: SectionID

  /// The rows in order.
  ///
  /// A block that is in use has at least one, outside of an edit.
  var rows: [RowEntry]

  /// Whether a block of this id has been handed out to be written.
  var isStored = false

  /// The row's offset in the block.
  func offset(of row: RowID) -> Int? {
    rows.firstIndex { $0.row == row }
  }

  /// The rows at those offsets, which ascend, as they stand when the block begins there.
  func runs(atOffsets offsets: some Sequence<Int>, from start: IndexPath) -> [RowRun] {
    offsets.reduce(into: []) { runs, offset in
      let path = IndexPath(section: start.section, row: start.row + offset)
      runs.append(CollectionOfOne(rows[offset]), at: path)
    }
  }

  /// Takes out the rows at those offsets, which ascend.
  mutating func remove(atOffsets offsets: some Sequence<Int>) {
    var offsets = offsets.makeIterator()
    var doomed = offsets.next()
    var kept = doomed ?? rows.count
    for offset in kept..<rows.count {
      if offset == doomed {
        doomed = offsets.next()
      } else {
        rows[kept] = rows[offset]
        kept += 1
      }
    }
    rows.removeLast(rows.count - kept)
  }
}

/// The place of a row: a block, and an offset in it.
struct BlockPlace: Comparable {
  let slot: Int
  let offset: Int

  static func < (one: BlockPlace, other: BlockPlace) -> Bool {
    (one.slot, one.offset) < (other.slot, other.offset)
  }
}

/// A section and its blocks.
struct Section: Sendable {
  /// Its id on disk.
  let id: SectionID

  /// Its name.
  var name: String

  /// Its rows.
  var blocks = BlockList()

  /// How many rows it has.
  var rowCount: Int { blocks.rowCount }
}
