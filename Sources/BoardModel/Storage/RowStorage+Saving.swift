extension RowStorage {
  /// Returns the unsaved changes, and marks them as saved.
  mutating func takeUnsavedChanges() -> UnsavedChanges {
    var changes = UnsavedChanges()
    // Loops, because the closures of `map` and `filter` would copy the storage.
    changes.blocks.reserveCapacity(unsaved.touchedSlots.count)
    for slot in unsaved.touchedSlots { changes.blocks.append(storedBlock(at: slot)) }
    if changes.blocks.count > 1 { changes.blocks.sort { $0.id < $1.id } }
    changes.removedBlocks = unsaved.removedBlocks
    for row in unsaved.removedRows where !contains(row) { changes.removedRows.append(row) }
    if unsaved.sections {
      changes.sections = sections.map { StoredSection(id: $0.id, name: $0.name) }
    }
    for slot in unsaved.touchedSlots { blocks[slot].isStored = true }
    unsaved.clear()
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
  /// Restores a saved storage.
  init(capacity: Int, sections: [StoredSection], blocks: [StoredBlock]) throws(BoardDamage) {
    self.init(capacity: capacity)
    let chains = try BlockChains(sections: sections, blocks: blocks)
    lastBlock = blocks.map(\.id.rawValue).max() ?? 0
    lastSection = sections.map(\.id.rawValue).max() ?? 0
    guard lastBlock < .max / 2, lastSection < .max / 2 else { throw .numbersUsedUp }
    self.blocks = blocks.map {
      Block(id: $0.id, section: $0.section, rows: $0.rows, isStored: true)
    }
    for section in sections {
      var restored = Section(id: section.id, name: section.name)
      let slots = chains.slots(of: section.id)
      restored.blocks.replace(
        0..<0, with: slots.map { (UInt32($0), UInt32(blocks[$0].rows.count)) })
      self.sections.append(restored)
      rowCount += restored.rowCount
    }
    try restoreIndex()
  }

  private mutating func restoreIndex() throws(BoardDamage) {
    index.reserve(rowCount)
    for (slot, block) in blocks.enumerated() {
      guard index.assign(block.rows, to: slot) < block.rows.count else { continue }
      throw .rowTwice(firstRowTwice(upTo: slot), in: block.id)
    }
  }

  /// Returns the first row that occurs twice.
  private func firstRowTwice(upTo slot: Int) -> RowID {
    var seen: Set<RowID> = []
    let rows = blocks[...slot].lazy.flatMap { $0.rows }.map(\.row)
    return rows.first { !seen.insert($0).inserted } ?? RowID(0)
  }
}
