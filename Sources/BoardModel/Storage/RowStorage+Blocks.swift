// How blocks are filled, split, merged and given back.

extension RowStorage {
  /// How rows that are too many for one block are divided among several.
  enum Division {
    /// Halves, or as many equal parts as it takes: there is room in each for what comes next.
    case even

    /// Every block but the last is full: what comes next comes at the end.
    case firstFull

    /// Every block but the first is full: what comes next comes at the beginning.
    case lastFull

    /// The ranges of so many rows, none longer than `capacity`.
    func ranges(of count: Int, capacity: Int) -> [Range<Int>] {
      let parts = (count + capacity - 1) / capacity
      let bounds = (0...parts).map { part in
        switch self {
        case .even: part * count / parts
        case .firstFull: min(part * capacity, count)
        case .lastFull: max(count - (parts - part) * capacity, 0)
        }
      }
      return zip(bounds, bounds.dropFirst()).map { $0..<$1 }
    }
  }

  /// Puts rows in the place of one block of a section, or of none, in as many blocks as it takes.
  mutating func fill(
    _ section: Int, _ position: Range<Int>, with rows: [RowEntry], _ division: Division
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

  /// Gives back blocks that have become empty and merges those that have become small, in that
  /// range of blocks and with the neighbours of it.
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

  /// Whether two blocks are to be one: one of them is small, and there is room left for what comes.
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

  /// Lists other blocks in the place of some of a section.
  private mutating func replace(_ range: Range<Int>, of section: Int, with slots: [Int]) {
    let counted = slots.map { slot in
      (slot: UInt32(slot), count: UInt32(blocks[slot].rows.count))
    }
    sections[section].blocks.replace(range, with: counted)
  }

  /// Notes that the block is to be written.
  mutating func touch(_ slot: Int) {
    unsaved.touchedSlots.insert(slot)
  }

  /// A new block without rows.
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

  /// Gives back a block that no section lists any more.
  mutating func release(_ slot: Int) {
    if blocks[slot].isStored { unsaved.removedBlocks.append(blocks[slot].id) }
    unsaved.touchedSlots.remove(slot)
    blocks[slot].rows = []
    freeSlots.append(slot)
  }
}
