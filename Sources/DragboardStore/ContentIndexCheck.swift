/// A check whether the index `representation_file` agrees with its table.
///
/// **A content's file is removed only if the table says that no row has it.** A wrong index alone
/// would cause the removal of every file. So before the first removal, every row of the table that
/// has a file is looked up in the index, some thousand rows in each step of the purge. From then on
/// SQLite changes table and index together, as long as the process lives. The check covers all
/// removals except two that use no index: files that no row has ever had
/// (`ContentDirectory.discard`, `abandon`), and recovery, which moves files aside and removes none.
/// `FileRemoval` only carries out the decisions made here.
struct ContentIndexCheck {
  enum State {
    case unchecked
    case agrees
    /// The index is wrong although it was rebuilt: no file is removed.
    case disagrees
  }

  private(set) var state = State.unchecked
  /// All rows up to this key have been compared.
  private(set) var end = Int64.min
  private var isRebuilt = false
  private var isRebuildCommitted = true

  /// Notes that all rows up to a key have been compared, and whether the table ends there.
  mutating func didCompare(upTo end: Int64, isEnd: Bool) {
    self.end = end
    if isEnd { state = .agrees }
  }

  /// Notes that the index does not have a row.
  ///
  /// - Returns: whether to rebuild the index; then all rows are compared again.
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
