import BoardModel
import DragboardStore

/// The contents of new rows.
enum NewContents {
  /// Contents that the insertion stores.
  case prepared([RowContent])
  /// Contents that are stored already, because they are many.
  case staged(StagedRows)

  /// The number of rows.
  var count: Int {
    switch self {
    case .prepared(let contents): contents.count
    case .staged(let stage): stage.rows.count
    }
  }

  /// Stores the contents permanently, in the transaction that inserts their rows.
  ///
  /// - Returns: the rows.
  func store(in store: BoardStore) throws(StoreError) -> [RowID] {
    switch self {
    case .prepared(let contents): return try store.insert(contents)
    case .staged(let stage):
      try stage.adopt()
      return stage.rows
    }
  }
}
