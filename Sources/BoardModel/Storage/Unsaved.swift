/// The changes of a storage since it was last saved.
struct Unsaved: Sendable {
  /// Slots of the used blocks that were changed, or whose next block was.
  var touchedSlots: Set<Int> = []

  /// The saved blocks that are not used any more.
  var removedBlocks: [BlockID] = []

  /// The removed rows; some may have been put back.
  var removedRows: [RowID] = []

  /// Whether sections were inserted, removed, moved or renamed.
  var sections = false

  /// Removes all changes, and keeps a small capacity.
  mutating func clear() {
    touchedSlots.removeAll(keepingCapacity: touchedSlots.capacity <= Self.maxKeptCapacity)
    (removedBlocks, removedRows, sections) = ([], [], false)
  }

  private static let maxKeptCapacity = 64
}
