internal import SQLite

/// The traces of deleted text.
///
/// SQLite overwrites deleted rows with zeros (`secure_delete`), but deleted text remains in two
/// locations. The full-text index only marks a row as deleted until its segments are merged. The
/// log has older versions of pages until it is emptied. Both are erased after a purge, when the
/// daemon is idle. Erasing the traces in the index takes O(index), and emptying the log takes two
/// syncs. A counter in the database records that the index may still have words. So if a process
/// ends early, the next process erases the rest.
final class TraceTable {
  private let transaction: StoreTransaction
  private let counters: CounterTable
  private let merge: Statement
  /// Whether the index may contain words of deleted rows.
  private var hasWords: Bool
  /// Whether the counter in the database records `hasWords`.
  private var areWordsNoted: Bool
  /// Whether a merge of the whole index is in progress.
  private var isMerging = false
  /// Whether the log may have pages with deleted text.
  private var isLogStale = false

  /// Reads whether an earlier process has left traces.
  init(_ transaction: StoreTransaction, _ counters: CounterTable) throws(StoreError) {
    self.transaction = transaction
    self.counters = counters
    merge = Statement(
      transaction.database, "INSERT INTO search(search, rank) VALUES ('merge', ?)")
    hasWords = try counters.value(of: .traces) > 0
    areWordsNoted = hasWords
  }

  /// Whether no file can contain text of deleted rows.
  var isEmpty: Bool { !hasWords && !isLogStale }

  /// Records, as part of a write, that a row's text is deleted.
  func note() throws(SQLiteError) {
    isLogStale = true
    hasWords = true
    guard !areWordsNoted else { return }
    try counters.set(.traces, to: 1)
    areWordsNoted = true
  }

  /// Erases some traces, first from the full-text index, then from the log.
  ///
  /// The log is emptied only if there is no uncommitted write.
  func erase() throws(StoreError) {
    if hasWords {
      try mergeWords()
    } else if isLogStale, !transaction.isOpen {
      try transaction.read { () throws(SQLiteError) in try transaction.database.emptyLog() }
      isLogStale = false
    }
  }

  /// The number of index pages that each step merges, in a few milliseconds.
  private static let mergeStep: Int64 = 16

  /// Merges some pages of the index.
  ///
  /// A merge removes the words of deleted rows.
  ///
  /// A negative number starts a merge of the whole index. Source:
  /// <https://sqlite.org/fts5.html#the_merge_command>.
  private func mergeWords() throws(StoreError) {
    let pages = isMerging ? Self.mergeStep : -Self.mergeStep
    try transaction.write { () throws(SQLiteError) in
      let before = transaction.database.totalChanges
      try merge.run(pages)
      isMerging = transaction.database.totalChanges - before >= 2
      if isMerging { return }
      try counters.set(.traces, to: 0)
      (hasWords, areWordsNoted) = (false, false)
    }
  }

  /// Resets the state, because the rollback may have undone a merge and the change of the counter.
  func didRollBack() {
    (areWordsNoted, isMerging) = (false, false)
    hasWords = hasWords || isLogStale
  }
}
