/// The blocks of a board, found by their slot, and their unsaved changes.
struct BlockTable: Sendable {
  /// The blocks, in no order; free slots of the array are reused.
  private var blocks: [Block] = []
  private var freeSlots: [Int] = []
  private var lastID: UInt32 = 0

  /// The slots of used blocks that have changed, or whose next block has changed.
  private(set) var touchedSlots: Set<Int> = []

  /// The saved blocks that are no longer used.
  private var removed: [BlockID] = []

  init() {}

  /// Restores saved blocks, whose slots are their offsets.
  init(_ blocks: [StoredBlock]) throws(BoardDamage) {
    lastID = blocks.map(\.id.rawValue).max() ?? 0
    guard lastID < .max / 2 else { throw .numbersUsedUp }
    self.blocks = blocks.map {
      Block(id: $0.id, section: $0.section, rows: $0.rows, isStored: true)
    }
  }

  var slotCount: Int { blocks.count }

  subscript(slot: Int) -> Block { blocks[slot] }

  mutating func change<Result>(_ slot: Int, _ body: (inout [RowEntry]) -> Result) -> Result {
    touch(slot)
    return body(&blocks[slot].rows)
  }

  /// Marks a block as unsaved.
  mutating func touch(_ slot: Int) { touchedSlots.insert(slot) }

  /// Creates a block without rows.
  mutating func add(in section: SectionID) -> Int {
    lastID += 1
    let block = Block(id: BlockID(lastID), section: section, rows: [])
    guard let slot = freeSlots.popLast() else {
      blocks.append(block)
      return blocks.count - 1
    }
    blocks[slot] = block
    return slot
  }

  /// Removes a block that is not in the list of any section.
  mutating func remove(_ slot: Int) {
    if blocks[slot].isStored { removed.append(blocks[slot].id) }
    touchedSlots.remove(slot)
    blocks[slot].rows = []
    freeSlots.append(slot)
  }

  /// Marks all blocks as saved; returns the saved blocks that are no longer used.
  mutating func markSaved() -> [BlockID] {
    defer { removed = [] }
    for slot in touchedSlots { blocks[slot].isStored = true }
    touchedSlots.removeAll(keepingCapacity: touchedSlots.capacity <= Self.maxKeptCapacity)
    return removed
  }

  /// The maximum number of slots whose memory is retained.
  private static let maxKeptCapacity = 64
}
