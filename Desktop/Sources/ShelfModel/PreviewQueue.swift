public import DragboardClient

/// The rows whose contents have not been read yet, visible rows first.
public struct PreviewQueue: Sendable {
  private var wanted: [ItemID: RowFacts] = [:]

  /// Creates an empty queue.
  public init() {}

  /// Adds a row, or replaces its facts.
  public mutating func add(_ row: RowFacts) { wanted[row.id] = row }

  /// Returns the next row to read, and removes the rows that the list no longer has.
  ///
  /// - Parameter order: the rows of the list's lines, visible lines first.
  /// - Returns: the first waiting row in this order; nil if there is none.
  public mutating func next(in order: [ItemID]) -> RowFacts? {
    let listed = Set(order)
    wanted = wanted.filter { listed.contains($0.key) }
    guard let item = order.first(where: { wanted[$0] != nil }) else { return nil }
    return wanted.removeValue(forKey: item)
  }
}
