package import BoardModel

extension BoardStore {
  package func insert(_ contents: [RowContent]) throws(StoreError) -> [RowID] {
    let rows = try reserveRows(contents.count)
    for (row, content) in zip(rows, contents) { try put(content, of: row) }
    return rows
  }

  package func put(_ content: RowContent, of row: RowID) throws(StoreError) {
    try tables.rows.check(content)
    let content = try tables.files.settle(content)
    try tables.transaction.write { () throws(SQLiteError) in
      try tables.rows.insert(content, of: row)
    }
    try tables.words.indexContent(of: row)
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

  package func stageRows(_ count: Int) throws(StoreError) -> StagedRows {
    try StagedRows(try reserveRows(count), in: tables.discards)
  }

  package func summary(of row: RowID) throws(StoreError) -> RowSummary? {
    try tables.rows.summary(of: row)
  }

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

  package func content(of row: RowID, at ordinal: Int) throws(StoreError) -> Payload {
    try tables.rows.content(of: row, at: ordinal)
  }

  package func text(of row: RowID, limit: Int = .max) throws(StoreError) -> String? {
    try tables.rows.text(of: row, limit: limit)
  }

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

  package func renewals() throws(StoreError) -> [RowID: UInt64] {
    try tables.rows.renewals()
  }

  package func setAge(
    of row: RowID, created: UInt64, renewal: UInt64?
  ) throws(StoreError) {
    try tables.transaction.write { () throws(SQLiteError) in
      try tables.rows.setAge(of: row, created: created, renewal: renewal)
    }
  }

  package func rowsBySandbox() throws(StoreError) -> [String: [RowID]] {
    try tables.rows.rowsBySandbox()
  }

  package func byteCount(of rows: [RowID]) throws(StoreError) -> Int {
    try tables.rows.byteCount(of: rows)
  }

  package func measure(_ use: inout SourceUse) throws(StoreError) -> Bool {
    try tables.rows.measure(&use)
  }

  package func moveItem(from source: RowID, to destination: RowID) throws(StoreError) {
    let (rows, words) = (tables.rows, tables.words)
    let isIndexed = words.includes(source) || words.includes(destination)
    let text = isIndexed ? try words.text(of: source) : nil
    try tables.transaction.write { () throws(SQLiteError) in
      try words.unindex(source, text)
      try rows.move(from: source, to: destination)
      try words.index(destination, text)
    }
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
  package var hasGarbage: Bool { tables.files.hasGarbage }

  /// The number of rows that each step deletes, in about a tenth of a millisecond.
  private static let purgeStep = 16

  package func purge() throws(StoreError) -> Bool { try purgeDiscarded(limit: Self.purgeStep) }

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
    var budget = PurgeBudget(entries: limit, bytes: byteLimit)
    let deleted = tables.files.deletedCount
    if try purgeRows(&budget) { return true }
    if try tables.files.removeSome(&budget) { return true }
    return tables.files.deletedCount > deleted
  }

  private func purgeRows(_ budget: inout PurgeBudget) throws(StoreError) -> Bool {
    while let (page, rows) = try tables.discards.oldest() {
      guard budget.isLeft else { return true }
      var kept = rows[...]
      while budget.isLeft, let last = kept.popLast() {
        budget.spend(bytes: try delete(last.row))
      }
      try tables.discards.keep(kept, on: page)
    }
    return false
  }

  package var hasTraces: Bool { !tables.traces.isEmpty }

  package func eraseTraces() throws(StoreError) -> Bool {
    try tables.traces.erase()
    return hasTraces
  }
}

// MARK: Search

extension BoardStore {
  /// The maximum number of bytes of a text that are indexed: 1 MiB.
  public static let indexedByteLimit = 1 << 20

  /// The number of rows that each step indexes, which takes a few milliseconds.
  private static let indexStep = 256

  /// Returns whether some rows are not indexed yet.
  public func isIndexBehind() throws(StoreError) -> Bool { try tables.words.isBehind() }

  package func indexSome() throws(StoreError) -> Bool { try indexSome(limit: Self.indexStep) }

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

  package func beginSearch(
    _ query: String, source: String? = nil
  ) throws(StoreError) -> WordSearch {
    try tables.words.search(query, source: source)
  }

  /// Returns the number of words that a search for `query` looks up.
  ///
  /// - Complexity: O(*n*)
  public static func wordCount(of query: String) -> Int { WordTable.wordCount(of: query) }
}
