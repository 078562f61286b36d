extension RowStorage {
  /// Returns the unsaved changes, and marks them as saved.
  mutating func takeUnsavedChanges() -> UnsavedChanges {
    var changes = UnsavedChanges()
    // Loops, because the closures of `map` and `filter` would copy the storage.
    changes.blocks.reserveCapacity(blocks.touchedSlots.count)
    for slot in blocks.touchedSlots { changes.blocks.append(storedBlock(at: slot)) }
    if changes.blocks.count > 1 { changes.blocks.sort { $0.id < $1.id } }
    changes.removedBlocks = blocks.markSaved()
    for row in removedRows where !contains(row) { changes.removedRows.append(row) }
    if hasUnsavedSections {
      changes.sections = sections.map { StoredSection(id: $0.id, name: $0.name) }
    }
    (hasUnsavedSections, removedRows) = (false, [])
    return changes
  }

  private func storedBlock(at slot: Int) -> StoredBlock {
    let block = blocks[slot]
    let section = sections.first { $0.id == block.section }
    let next = section?.blocks.slot(after: slot).map { blocks[$0].id }
    return StoredBlock(id: block.id, section: block.section, next: next, rows: block.rows)
  }
}

// MARK: Restoring

extension RowStorage {
  init(capacity: Int, sections: [StoredSection], blocks: [StoredBlock]) throws(BoardDamage) {
    self.init(capacity: capacity)
    let chains = try BlockChains(sections: sections, blocks: blocks)
    lastSection = sections.map(\.id.rawValue).max() ?? 0
    guard lastSection < .max / 2 else { throw .numbersUsedUp }
    self.blocks = try BlockTable(blocks)
    for section in sections {
      var restored = Section(id: section.id, name: section.name)
      let slots = chains.slots(of: section.id)
      restored.blocks.replace(
        0..<0, with: slots.map { (UInt32($0), UInt32(blocks[$0].rows.count)) })
      self.sections.append(restored)
      rowCount += restored.rowCount
    }
    try index.restore(blocks, rowCount: rowCount)
  }
}
