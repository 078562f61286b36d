// Traces of what was deleted.
//
// SQLite overwrites deleted rows with zeros (`secure_delete`). Two places keep text beyond that:
// the index of words, which only notes that a row has gone until its parts are merged, and the log,
// which has older versions of pages until it is emptied. Both are done after a purge, when nothing
// else is to be done: the first costs O(index), the second two syncs. A counter in the database
// says that words may be left, so that a process that ends before leaves the rest to the next one.

/// The text of deleted rows that may still be in the files.
struct Traces {
  /// Whether the index of words may have words of rows that have gone.
  var hasWords = false
  /// Whether the database says so, too.
  var areWordsNoted = false
  /// Whether the index is being merged as a whole.
  var isMerging = false
  /// Whether the log may have pages with what was deleted.
  var isLogStale = false

  /// Notes that what the database says of them is not known.
  mutating func didRollBack() {
    (areWordsNoted, isMerging) = (false, false)
    hasWords = hasWords || isLogStale
  }
}

/// Whether the index may have words of rows that have gone.
enum TraceCounter {
  /// Its number in the table of counters.
  ///
  /// Databases of earlier releases may hold a counter 5.
  static let id: Int64 = 6
}

extension BoardStore {
  /// Whether text of rows that were purged may still be in the files.
  public var hasTraces: Bool { traces.hasWords || traces.isLogStale }

  /// Notes that a row's text is deleted in the open transaction.
  func noteTraces() throws(SQLiteError) {
    traces.isLogStale = true
    traces.hasWords = true
    guard !traces.areWordsNoted else { return }
    try statements.saveCounter.run(TraceCounter.id, Int64(1))
    traces.areWordsNoted = true
  }

  /// Erases some of the text of rows that were purged, from the index of words and in the end from
  /// the log.
  ///
  /// It writes; the log is emptied in a step that finds nothing uncommitted.
  ///
  /// - Returns: whether there is more to do, be it after a commit.
  /// - Throws: `StoreError`.
  public func eraseTraces() throws(StoreError) -> Bool {
    if traces.hasWords {
      try mergeWords()
    } else if traces.isLogStale, !hasUncommittedWrites {
      try read { () throws(SQLiteError) in try database.emptyLog() }
      traces.isLogStale = false
    }
    return hasTraces
  }

  /// How many pages of the index one step merges: some milliseconds.
  private static let mergeStep: Int64 = 16

  /// Merges some pages of the index: words that only deleted rows had are not in the merged part.
  ///
  /// Source: <https://sqlite.org/fts5.html#the_merge_command>; a negative number begins with the
  /// whole index.
  private func mergeWords() throws(StoreError) {
    let pages = traces.isMerging ? Self.mergeStep : -Self.mergeStep
    try write { () throws(SQLiteError) in
      let before = database.totalChanges
      try statements.mergeWords.run(pages)
      traces.isMerging = database.totalChanges - before >= 2
      if traces.isMerging { return }
      try statements.saveCounter.run(TraceCounter.id, Int64(0))
      (traces.hasWords, traces.areWordsNoted) = (false, false)
    }
  }
}
