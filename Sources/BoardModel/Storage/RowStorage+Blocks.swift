extension RowStorage {
  /// Replaces at most one block of a section by as many blocks as the rows need.
  mutating func fill(
    _ section: Int, _ position: Range<Int>, with rows: [RowEntry], _ division: BlockDivision
  ) {
    var filled = sections[section].blocks.slots[position].map(Int.init)
    let ranges = division.ranges(of: rows.count, capacity: capacity)
    for (part, range) in ranges.enumerated() {
      let slot = part < filled.count ? filled[part] : blocks.add(in: sections[section].id)
      if part >= filled.count { filled.append(slot) }
      blocks.change(slot) { $0 = Array(rows[range]) }
      index.assign(rows[range], to: slot)
    }
    replace(position, of: section, with: filled)
  }

  /// Releases empty blocks and merges small blocks, in a range of blocks and next to it.
  mutating func settle(_ section: Int, around range: Range<Int>) {
    let slots = sections[section].blocks.slots
    let window = max(range.lowerBound - 1, 0)..<min(range.upperBound + 1, slots.count)
    var kept: [Int] = []
    for slot in slots[window].lazy.map(Int.init) {
      if blocks[slot].rows.isEmpty {
        blocks.remove(slot)
        if let before = kept.last { blocks.touch(before) }
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

  /// Appends a block's rows to the block before it, and removes the block.
  private mutating func merge(_ slot: Int, into before: Int) {
    let rows = blocks[slot].rows
    blocks.change(before) { $0.append(contentsOf: rows) }
    index.assign(rows, to: before)
    blocks.remove(slot)
  }

  private mutating func replace(_ range: Range<Int>, of section: Int, with slots: [Int]) {
    let counted = slots.map { slot in
      (slot: UInt32(slot), count: UInt32(blocks[slot].rows.count))
    }
    sections[section].blocks.replace(range, with: counted)
  }
}
