public import BoardModel

/// New rows whose contents are stored in several transactions, before a board has the rows.
///
/// The contents are protected from the purge as long as this object exists. Afterwards, or after a
/// crash, the contents are purged unless the rows were adopted.
public final class StagedRows {
  /// The rows.
  public let rows: [RowID]

  private let discards: DiscardTable
  /// The pages of the table `discarded` that list these rows.
  private let pages: [Int64]
  /// The number of the store's rollbacks when the rows were staged.
  private let rollbacks: Int

  init(_ rows: [RowID], in discards: DiscardTable) throws(StoreError) {
    self.rows = rows
    self.discards = discards
    pages = try discards.add(rows)
    rollbacks = discards.transaction.rollbacks
    discards.stage(pages)
  }

  deinit { discards.giveUp(pages) }

  /// Whether no transaction was rolled back since the rows were staged.
  ///
  /// After a rollback, the pages that list the rows are lost. Contents that are stored then would
  /// never be purged.
  public var isWhole: Bool { rollbacks == discards.transaction.rollbacks }

  /// Whether ``adopt()`` was called.
  public private(set) var isAdopted = false

  /// Retains the contents permanently.
  ///
  /// Call it in the transaction that saves the rows with their board.
  public func adopt() throws(StoreError) {
    isAdopted = true
    try discards.adopt(pages)
  }
}
