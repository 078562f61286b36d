/// Whether the index `representation_file` agrees with its table.
///
/// **A content's file is removed only if the table says that no row holds it.** The index alone can
/// be wrong, and would have every file removed. So before the first file is removed, every row of
/// the table that holds a file is looked up in the index, some thousand rows in each step of the
/// purge; from then on SQLite changes both together, for as long as the process lives. This covers
/// all removals but these, which ask no index: files that no row has ever held
/// (`ContentFolder.discard`, `abandon`), and recovery, which moves files aside and removes none.
/// `FileRemoval` only carries out what was decided here.
struct ContentIndexCheck {
  enum State {
    case unchecked
    case agrees
    /// The index is wrong although it was rebuilt: nothing is removed.
    case disagrees
  }

  private(set) var state = State.unchecked
  /// Rows up to this key have been compared.
  private(set) var end = Int64.min
  private var isRebuilt = false
  private var isRebuildCommitted = true

  /// Notes that rows have been compared, up to that key, and whether they were the last ones.
  mutating func didCompare(upTo end: Int64, isEnd: Bool) {
    self.end = end
    if isEnd { state = .agrees }
  }

  /// Notes that the index does not know a row.
  ///
  /// - Returns: whether the index is to be rebuilt; all rows are compared again then.
  mutating func didFindDifference() -> Bool {
    guard !isRebuilt else {
      state = .disagrees
      return false
    }
    (end, isRebuilt, isRebuildCommitted) = (.min, true, false)
    return true
  }

  mutating func didCommit() { isRebuildCommitted = true }

  /// Forgets everything if the index has not been rebuilt after all.
  mutating func didRollBack() {
    if !isRebuildCommitted { self = ContentIndexCheck() }
  }
}

extension BoardStore {
  /// How many rows one step compares: one millisecond.
  private static let indexCheckStep: Int64 = 4_096

  /// Compares the next rows with the index, and rebuilds it if it is wrong.
  ///
  /// - Returns: whether it is known now if the index agrees.
  func checkIndex() throws(StoreError) -> Bool {
    let (end, count, unknown) = try read { () throws(SQLiteError) in
      try statements.unknownToIndex.first(indexCheck.end, Self.indexCheckStep) { row in
        (row.integer(0), row.integer(1), row.integer(2))
      } ?? (0, 0, 0)
    }
    if unknown == 0 {
      indexCheck.didCompare(upTo: end, isEnd: count < Self.indexCheckStep)
    } else if indexCheck.didFindDifference() {
      report(.rebuiltIndex)
      try write { () throws(SQLiteError) in
        try database.execute("REINDEX representation_file")
      }
    } else {
      _ = noted(.damaged("the index of contents"))
    }
    return indexCheck.state != .unchecked
  }
}
