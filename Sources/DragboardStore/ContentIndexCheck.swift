/// A check that the index `representation_file` agrees with its table.
///
/// ***A content's file is removed only if the table says that no row has it.** This is looked up in
/// the index, so a wrong index would cause the removal of needed files. So before the first
/// removal, every row of the table that has a file is looked up in the index, a few thousand rows
/// in each step of the purge. From then on, SQLite changes the table and the index together, as
/// long as the process runs. Two cases use no index, and so need no check. Files that no row has
/// ever had are removed by `ContentDirectory.discard` and `abandon`. Recovery moves files aside and
/// removes none.
struct ContentIndexCheck {
  enum State {
    case unchecked
    case agrees
    /// The index is wrong although it was rebuilt, so no file is removed.
    case disagrees
  }

  private(set) var state = State.unchecked
  /// All rows up to this key have been compared.
  private(set) var end = Int64.min
  private var isRebuilt = false
  private var isRebuildCommitted = true

  /// Records that all rows up to a key have been compared.
  ///
  /// `isEnd` is true at the end of the table.
  mutating func didCompare(upTo end: Int64, isEnd: Bool) {
    self.end = end
    if isEnd { state = .agrees }
  }

  /// Records that a row is missing in the index.
  ///
  /// - Returns: whether the caller must rebuild the index. After that, all rows are compared again.
  mutating func didFindDifference() -> Bool {
    guard !isRebuilt else {
      state = .disagrees
      return false
    }
    (end, isRebuilt, isRebuildCommitted) = (.min, true, false)
    return true
  }

  mutating func didCommit() { isRebuildCommitted = true }

  /// Starts the check again if the rebuilding of the index was rolled back.
  mutating func didRollBack() {
    if !isRebuildCommitted { self = ContentIndexCheck() }
  }
}
