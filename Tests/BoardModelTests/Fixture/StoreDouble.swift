import BoardModel

/// A store in memory for the changes that a board returns.
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
