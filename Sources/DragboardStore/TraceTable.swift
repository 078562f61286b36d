/// Traces of deleted text.
///
/// SQLite overwrites deleted rows with zeros (`secure_delete`). Two places keep text beyond that: the
/// index of words, which only notes that a row has gone until its parts are merged, and the log, which
/// has older versions of pages until it is emptied. Both are cleaned after a purge, when nothing else is
/// to be done: the first costs O(index), the second two syncs. A counter in the database says that words
/// may be left, so that a process that ends before leaves the rest to the next one.
final class TraceTable {
  private let transaction: StoreTransaction
  private let counters: CounterTable
  private let merge: Statement
  /// Whether the index of words may have words of rows that have gone.
  private var hasWords: Bool
  /// Whether the database says so, too.
  private var areWordsNoted: Bool
  /// Whether the index is being merged as a whole.
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

  /// Whether text of deleted rows may still be in the files.
  var isEmpty: Bool { !hasWords && !isLogStale }

  /// Notes, within a write, that a row's text is deleted.
  func note() throws(SQLiteError) {
    isLogStale = true
    hasWords = true
    guard !areWordsNoted else { return }
    try counters.set(.traces, to: 1)
    areWordsNoted = true
  }

  /// Erases some traces, from the index of words and in the end from the log.
  ///
  /// The log is emptied in a step that finds nothing uncommitted.
  func erase() throws(StoreError) {
    if hasWords {
      try mergeWords()
    } else if isLogStale, !transaction.isOpen {
      try transaction.read { () throws(SQLiteError) in try transaction.database.emptyLog() }
      isLogStale = false
    }
  }

  /// How many pages of the index one step merges: some milliseconds.
  private static let mergeStep: Int64 = 16

  /// Merges some pages of the index: words that only deleted rows had are not in the merged part.
  ///
  /// Source: <https://sqlite.org/fts5.html#the_merge_command>; a negative number begins with the
  /// whole index.
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

  /// Forgets what the database says, which is not known any more.
  func didRollBack() {
    (areWordsNoted, isMerging) = (false, false)
    hasWords = hasWords || isLogStale
  }
}
