public import BoardModel

/// New rows that are given what they hold over several transactions, before a board has them.
///
/// As long as this object lives it is not purged; then it is, and after a crash, unless the rows have been adopted.
public final class StagedRows {
  /// The rows.
  public let rows: [RowID]

  private let store: BoardStore
  /// Where the database notes that no board has them.
  private let pages: [Int64]
  /// How often the store had rolled back before.
  private let rollbacks: Int

  fileprivate init(_ rows: [RowID], notedOn pages: [Int64], in store: BoardStore) {
    self.rows = rows
    self.pages = pages
    self.store = store
    rollbacks = store.rollbacks
    store.stagedPages.formUnion(pages)
  }

  deinit { store.stagedPages.subtract(pages) }

  /// Whether nothing has been rolled back meanwhile: what is inserted for them after that nobody would purge.
  public var isWhole: Bool { rollbacks == store.rollbacks }

  /// Keeps what the rows hold: in the transaction in which a board gets them.
  public func adopt() throws(StoreError) {
    store.stagedPages.subtract(pages)
    try store.write { () throws(SQLiteError) in
      for page in pages { try store.statements.deleteDiscarded.run(page) }
    }
  }
}

extension BoardStore {
  /// Gives numbers for that many new rows, and notes that what they are going to hold goes unless they are adopted.
  public func stageRows(_ count: Int) throws(StoreError) -> StagedRows {
    let rows = try reserveRows(count)
    let pages = try write { () throws(SQLiteError) in try noteDiscarded(rows) }
    return StagedRows(rows, notedOn: pages, in: self)
  }
}
