public import BoardModel

/// New rows whose contents are stored over several transactions, before a board has them.
///
/// As long as this object lives, the contents are not purged; then they are, and after a crash, unless the
/// rows were adopted.
public final class StagedRows {
  /// The rows.
  public let rows: [RowID]

  private let discards: DiscardTable
  /// Where the database notes that no board has them.
  private let pages: [Int64]
  /// How often the store had rolled back before.
  private let rollbacks: Int

  init(_ rows: [RowID], in discards: DiscardTable) throws(StoreError) {
    self.rows = rows
    self.discards = discards
    pages = try discards.add(rows)
    rollbacks = discards.transaction.rollbacks
    discards.stage(pages)
  }

  deinit { discards.giveUp(pages) }

  /// Whether nothing was rolled back since: else the contents of the rows would never be purged.
  public var isWhole: Bool { rollbacks == discards.transaction.rollbacks }

  /// Whether ``adopt()`` was called.
  public private(set) var isAdopted = false

  /// Keeps the contents: in the transaction in which a board gets the rows.
  public func adopt() throws(StoreError) {
    isAdopted = true
    try discards.adopt(pages)
  }
}
