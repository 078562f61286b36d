public import DragboardClient

/// The rows whose contents are not read yet, the visible ones first.
public struct PreviewQueue: Sendable {
  private var wanted: [ItemID: RowFacts] = [:]

  /// Creates an empty queue.
  public init() {}

  /// Adds a row, or updates its facts.
  public mutating func add(_ row: RowFacts) { wanted[row.id] = row }

  /// Returns the next row to read, and forgets the rows that are not listed any more.
  ///
  /// - Parameter order: the rows of the list's lines, the visible ones first.
  /// - Returns: the first wanted one; nil if there is none.
  public mutating func next(in order: [ItemID]) -> RowFacts? {
    let listed = Set(order)
    wanted = wanted.filter { listed.contains($0.key) }
    guard let item = order.first(where: { wanted[$0] != nil }) else { return nil }
    return wanted.removeValue(forKey: item)
  }
}
