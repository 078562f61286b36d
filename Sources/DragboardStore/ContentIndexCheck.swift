/// A check that the index `representation_file` agrees with its table.
///
/// The purge removes the file of a content if the index has no row with this content. So a wrong
/// index would cause the removal of needed files. Therefore, before the first removal, the purge
/// looks up every row that has a file in the index, a few thousand rows in each step. After that
/// the index stays right, because SQLite changes it together with the table.
///
/// Two other functions handle files without the index, so they need no check.
/// `ContentDirectory.discard` and `abandon` remove only files that no row has ever had. Recovery
/// moves files to another directory, but removes none.
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
