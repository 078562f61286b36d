/// A run of consecutive rows of one section.
struct Block: Sendable {
  /// What names it on disk.
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
}

/// A section and its blocks.
struct Section: Sendable {
  /// What names it on disk.
  let id: SectionID

  /// What people call it.
  var name: String

  /// Its rows.
  var blocks = BlockList()

  /// How many rows it has.
  var rowCount: Int { blocks.rowCount }
}
