package import BoardModel
internal import SQLite

extension BoardStore {
  /// Stores the contents of new rows, as `put` does, and returns the rows.
  package func insert(_ contents: [RowContent]) throws(StoreError) -> [RowID] {
    let rows = try reserveRows(contents.count)
    for (row, content) in zip(rows, contents) { try put(content, of: row) }
    return rows
  }

  /// Replaces the content of a row.
  func replaceContent(of row: RowID, with content: RowContent) throws(StoreError) {
    try tables.rows.check(content)
    let content = try tables.files.settle(content)
    _ = try delete(row)
    try tables.transaction.write { () throws(SQLiteError) in
      try tables.rows.insert(content, of: row)
    }
    try tables.words.indexContent(of: row)
  }

  /// Returns the summary of a row's content, without reading the bytes; nil if the row has no
  /// content.
  package func summary(of row: RowID) throws(StoreError) -> RowSummary? {
    try tables.rows.summary(of: row)
  }

  /// Returns the content of a row, without a digest; nil if it has none.
  ///
  /// It reads no file.
  package func rowContent(of row: RowID) throws(StoreError) -> RowContent? {
    guard let summary = try summary(of: row) else { return nil }
    var representations: [RowContent.Representation] = []
    for (ordinal, type) in summary.types.enumerated() {
      let bytes = try content(of: row, at: ordinal)
      representations.append(.init(type: type.type, bytes: bytes, preview: ""))
    }
    return RowContent(
      origin: summary.origin, attributes: summary.attributes, preview: summary.preview,
      representations: representations)
  }

  /// Returns the bytes of the representation at a position in order of fidelity.
  ///
  /// This function reads no file. So if the file of a large content is missing, the error occurs
  /// when the payload is read. The file stays as long as the payload exists, even if the row is
  /// deleted.
  package func content(of row: RowID, at ordinal: Int) throws(StoreError) -> Payload {
    try tables.rows.content(of: row, at: ordinal)
  }

  /// Returns the row's first plain text in order of fidelity; nil if the row has no text.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - limit: the maximum number of bytes. A longer text is cut after the last whole Unicode
  ///     scalar within the limit.
  /// - Returns: the text.
  /// - Throws: `StoreError`.
  package func text(of row: RowID, limit: Int = .max) throws(StoreError) -> String? {
    try tables.rows.text(of: row, limit: limit)
  }

  /// Returns the rows whose content has this digest, including rows that are only retained for an
  /// undo.
  ///
  /// The contents can be different, so compare them. The newest rows come first. The result has at
  /// most 1,000 rows.
  package func rows(withDigest digest: UInt64) throws(StoreError) -> [RowID] {
    try tables.rows.rows(withDigest: digest)
  }

  /// Computes the digests that are missing since an upgrade or a recovery.
  func renewDigests() throws(StoreError) {
    for row in try tables.rows.rowsWithOldDigest() {
      // A row that cannot be read keeps its old digest, which equals no new one.
      guard let content = try? rowContent(of: row) else { continue }
      try tables.transaction.write { () throws(SQLiteError) in
        try tables.rows.setDigest(of: row, content.digested.digest)
      }
    }
    try commit()
  }

  /// Returns the rows whose age was renewed by duplicates, each with the number that determines its
  /// age.
  ///
  /// The result includes rows that are on no board and are only retained for an undo.
  package func renewals() throws(StoreError) -> [RowID: UInt64] {
    try tables.ages.renewals()
  }

  /// Returns the number that determines the age of a row: that of its renewal, or its own number.
  package func age(of row: RowID) throws(StoreError) -> UInt64 {
    try tables.ages.renewal(of: row) ?? row.rawValue
  }

  /// Returns at most `count` renewed rows with their ages, the newest first.
  ///
  /// The result includes rows that are on no board.
  ///
  /// - Parameters:
  ///   - end: the age below which the rows are.
  ///   - count: the maximum number of rows.
  /// - Returns: the rows and their ages.
  /// - Throws: `StoreError`.
  package func renewals(
    before end: UInt64, count: Int
  ) throws(StoreError) -> [(row: RowID, age: UInt64)] {
    try tables.ages.renewals(before: end, count: count)
  }

  /// Sets the age of a row.
  ///
  /// - Parameters:
  ///   - row: the row, which has a content.
  ///   - created: the time of its creation or renewal, in microseconds since 1970, UTC.
  ///   - renewal: a reserved number that no other row uses; nil if no duplicate has renewed the row.
  /// - Throws: `StoreError`.
  package func setAge(
    of row: RowID, created: UInt64, renewal: UInt64?
  ) throws(StoreError) {
    try tables.transaction.write { () throws(SQLiteError) in
      try tables.ages.setAge(of: row, created: created, renewal: renewal)
    }
  }

  /// Returns the rows that use shares of sandboxes, by sandbox, in the order of their numbers.
  ///
  /// The result includes rows that are on no board and are only retained for an undo. O(these rows).
  package func rowsBySandbox() throws(StoreError) -> [String: [RowID]] {
    try tables.rows.rowsBySandbox()
  }

  /// Returns the total size of the contents of these rows, in bytes.
  ///
  /// O(rows).
  package func byteCount(of rows: [RowID]) throws(StoreError) -> Int {
    try tables.sizes.byteCount(of: rows)
  }

  /// Adds the next rows of a source to a count.
  ///
  /// - Returns: whether more rows remain.
  /// - Throws: `StoreError`.
  package func measure(_ use: inout SourceUse) throws(StoreError) -> Bool {
    try tables.sizes.measure(&use)
  }

  package func discard(_ rows: [RowID]) throws(StoreError) { try tables.discards.add(rows) }

  /// Deletes the content of a row.
  ///
  /// - Returns: the number of deleted bytes in the database.
  private func delete(_ row: RowID) throws(StoreError) -> Int {
    let text = try tables.words.indexedText(of: row)
    return try tables.transaction.write { () throws(SQLiteError) in
      try tables.words.unindex(row, text)
      return try tables.rows.delete(row)
    }
  }
}

// MARK: Cleaning up

extension BoardStore {
  /// Whether `purge` has work although no board has changed, such as files to remove.
  package var hasGarbage: Bool { tables.files.hasGarbage }

  /// Deletes the contents of discarded rows, and unneeded files.
  ///
  /// Call it when the daemon is idle. It writes only if there are contents to delete. The files of
  /// deleted rows are removed in later calls, after the commit.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of rows and files of one step.
  ///   - byteLimit: the number of deleted bytes after which the step ends.
  /// - Returns: whether work remains for another call, which may have to follow a commit.
  /// - Throws: `StoreError`. In this case no row is deleted.
  public func purgeDiscarded(
    limit: Int, byteLimit: Int = 8 << 20
  ) throws(StoreError) -> Bool {
    let deleted = tables.files.deletedCount
    var rows = PurgeBudget(entries: limit, bytes: min(byteLimit, RowContent.maxInlineByteCount))
    if try purgeRows(&rows) { return true }
    var files = PurgeBudget(entries: rows.entries, bytes: byteLimit)
    if try tables.files.removeSome(&files) { return true }
    return tables.files.deletedCount > deleted
  }

  private func purgeRows(_ budget: inout PurgeBudget) throws(StoreError) -> Bool {
    while let (page, rows) = try tables.discards.oldest() {
      guard budget.isLeft else { return true }
      var kept = rows[...]
      while budget.isLeft, let last = kept.popLast() {
        let byteCount = try delete(last.row)
        purgedByteCount += byteCount
        budget.spend(bytes: byteCount)
      }
      try tables.discards.keep(kept, on: page)
    }
    return false
  }

  /// Whether the files may still contain text of purged rows.
  package var hasTraces: Bool { !tables.traces.isEmpty }
}

// MARK: Search

extension BoardStore {
  /// The maximum number of bytes of a text that are indexed: 1 MiB.
  public static let indexedByteLimit = 1 << 20
  /// The maximum number of bytes of a text of a sandbox that are indexed: 32 KiB.
  ///
  /// No other call is served while a text is indexed: about 15 ms for 32 KiB of different words, and
  /// 0.5 s for 1 MiB.
  static let sandboxedIndexedByteLimit = 32 << 10

  /// Returns whether some rows are not indexed yet.
  public func isIndexBehind() throws(StoreError) -> Bool { try tables.words.isBehind() }

  /// Adds the next rows to the full-text index.
  ///
  /// It writes only if there are such rows, or if the index must be renewed.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of rows of one step.
  ///   - byteLimit: the number of indexed bytes after which the step ends.
  /// - Returns: whether more rows remain.
  /// - Throws: `StoreError`.
  public func indexSome(limit: Int, byteLimit: Int = 1 << 20) throws(StoreError) -> Bool {
    try tables.words.renewIfDeep()
    try tables.words.indexSome(limit: limit, byteLimit: byteLimit)
    return try isIndexBehind()
  }

  /// Begins a search for the rows that contain every word of a query.
  ///
  /// The last word of the query may be a prefix. Case and diacritics are ignored; canonically equal
  /// texts match. A query without a word finds nothing. The result includes rows that are on no
  /// board and are only retained for an undo.
  ///
  /// - Parameters:
  ///   - query: words, separated by white space; the query has no syntax. A part without letters
  ///     and digits is not a word. A word with other characters in it, such as "well-known",
  ///     matches if its parts follow each other in the text.
  ///   - source: the application whose rows are searched; nil for all applications.
  ///   - needsWholeWords: whether the last word must be a whole word, too.
  /// - Returns: the search, which returns the rows in parts.
  /// - Throws: `StoreError`.
  package func beginSearch(
    _ query: String, source: String? = nil, needsWholeWords: Bool = false
  ) throws(StoreError) -> WordSearch {
    try tables.words.search(query, source: source, needsWholeWords: needsWholeWords)
  }

  /// Returns a comparison of single rows with a query.
  ///
  /// - Parameters:
  ///   - query: the words, as in ``beginSearch(_:source:needsWholeWords:)``.
  ///   - source: the application whose rows may match; nil for all applications.
  /// - Returns: the comparison.
  /// - Throws: `StoreError`.
  package func matcher(
    for query: String, source: String? = nil
  ) throws(StoreError) -> RowMatcher {
    try tables.words.matcher(for: query, source: source)
  }

  /// Returns the number of words that a search for `query` looks up.
  ///
  /// - Complexity: O(*n*)
  package func wordCount(of query: String) throws(StoreError) -> Int {
    try tables.words.wordCount(of: query)
  }
}
