/// The changes of a storage since it was last saved.
struct Unsaved: Sendable {
  /// The slots of used blocks that have changed, or whose next block has changed.
  var touchedSlots: Set<Int> = []

  /// The saved blocks that are no longer used.
  var removedBlocks: [BlockID] = []

  /// The removed rows; some may have been inserted again.
  var removedRows: [RowID] = []

  /// Whether sections were inserted, removed, moved or renamed.
  var sections = false

  /// Removes all changes, keeping a small capacity.
  mutating func clear() {
    touchedSlots.removeAll(keepingCapacity: touchedSlots.capacity <= Self.maxKeptCapacity)
    (removedBlocks, removedRows, sections) = ([], [], false)
  }

  private static let maxKeptCapacity = 64
}
