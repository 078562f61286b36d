extension RowStorage {
  /// Replaces one block of a section, or none, by as many blocks as the rows need.
  mutating func fill(
    _ section: Int, _ position: Range<Int>, with rows: [RowEntry], _ division: BlockDivision
  ) {
    var filled = sections[section].blocks.slots[position].map(Int.init)
    let ranges = division.ranges(of: rows.count, capacity: capacity)
    for (part, range) in ranges.enumerated() {
      let slot = part < filled.count ? filled[part] : makeBlock(in: sections[section].id)
      if part >= filled.count { filled.append(slot) }
      blocks[slot].rows = Array(rows[range])
      index.assign(rows[range], to: slot)
      touch(slot)
    }
    replace(position, of: section, with: filled)
  }

  /// Releases empty blocks and merges small ones, in a range of blocks and with its neighbours.
  mutating func settle(_ section: Int, around range: Range<Int>) {
    let slots = sections[section].blocks.slots
    let window = max(range.lowerBound - 1, 0)..<min(range.upperBound + 1, slots.count)
    var kept: [Int] = []
    for slot in slots[window].lazy.map(Int.init) {
      if blocks[slot].rows.isEmpty {
        release(slot)
        if let before = kept.last { touch(before) }
      } else if let before = kept.last, shouldMerge(before, slot) {
        merge(slot, into: before)
      } else {
        kept.append(slot)
      }
    }
    replace(window, of: section, with: kept)
  }

  /// Returns whether to merge two blocks: one of them is small, and room is left for more rows.
  private func shouldMerge(_ one: Int, _ other: Int) -> Bool {
    let (few, many) = (blocks[one].rows.count, blocks[other].rows.count)
    return min(few, many) <= capacity / 4 && few + many <= capacity * 3 / 4
  }

  /// Appends a block's rows to those of the one before it.
  private mutating func merge(_ slot: Int, into before: Int) {
    blocks[before].rows.append(contentsOf: blocks[slot].rows)
    index.assign(blocks[slot].rows, to: before)
    touch(before)
    release(slot)
  }

  /// Replaces a range of the block list of a section.
  private mutating func replace(_ range: Range<Int>, of section: Int, with slots: [Int]) {
    let counted = slots.map { slot in
      (slot: UInt32(slot), count: UInt32(blocks[slot].rows.count))
    }
    sections[section].blocks.replace(range, with: counted)
  }

  /// Marks a block as unsaved.
  mutating func touch(_ slot: Int) {
    unsaved.touchedSlots.insert(slot)
  }

  /// Creates a block without rows.
  private mutating func makeBlock(in section: SectionID) -> Int {
    lastBlock += 1
    let block = Block(id: BlockID(lastBlock), section: section, rows: [])
    guard let slot = freeSlots.popLast() else {
      blocks.append(block)
      return blocks.count - 1
    }
    blocks[slot] = block
    return slot
  }

  /// Releases a block that is not in the list of any section.
  mutating func release(_ slot: Int) {
    if blocks[slot].isStored { unsaved.removedBlocks.append(blocks[slot].id) }
    unsaved.touchedSlots.remove(slot)
    blocks[slot].rows = []
    freeSlots.append(slot)
  }
}
