/// Whether the index `representation_file` agrees with its table.
///
/// **A content's file is removed only if the table says that no row holds it.** The index alone can
/// be wrong, and would have every file removed. So before the first file is removed, every row of
/// the table that holds a file is looked up in the index, some thousand rows in each step of the
/// purge; from then on SQLite changes both together, for as long as the process lives. This covers
/// all removals but these, which ask no index: files that no row has ever held
/// (`ContentDirectory.discard`, `abandon`), and recovery, which moves files aside and removes none.
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
