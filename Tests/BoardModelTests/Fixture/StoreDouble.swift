import BoardModel

/// Keeps what a board hands out to be written, as a store would.
struct StoreDouble {
  var blocks: [BlockID: StoredBlock] = [:]
  var sections: [StoredSection] = []
  var removedRows: [RowID] = []

  mutating func save(_ changes: UnsavedChanges) {
    for id in changes.removedBlocks { blocks[id] = nil }
    for block in changes.blocks { blocks[block.id] = block }
    sections = changes.sections ?? sections
    removedRows += changes.removedRows
  }
}
