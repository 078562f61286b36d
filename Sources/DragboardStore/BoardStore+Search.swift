public import BoardModel

// The words that rows hold, in SQLite's full-text index.
//
// Rows have numbers that only grow, and are indexed in that order, some time after they came: an edit does not wait for it. Up to
// where that is done says a counter; what changes behind it is indexed at once.

extension BoardStore {
  /// Of a longer text the beginning alone is indexed: 1 MiB.
  public static let indexedByteLimit = 1 << 20

  /// Whether there are rows that have not been indexed.
  public func isIndexBehind() throws(StoreError) -> Bool {
    try !rowsToIndex(limit: 1).isEmpty
  }

  /// Indexes the next rows; whether there are more.
  ///
  /// It writes, where there is something to index.
  ///
  /// - Parameters:
  ///   - limit: ends the step after so many rows.
  ///   - byteLimit: ends the step with the row by which so many bytes have been indexed.
  /// - Returns: whether there is more to do.
  /// - Throws: `StoreError`.
  public func indexSome(limit: Int, byteLimit: Int = 1 << 20) throws(StoreError) -> Bool {
    let rows = try rowsToIndex(limit: limit)
    guard var done = rows.last else { return false }
    var bytes = byteLimit
    for row in rows {
      let text = try text(toIndexOf: row, force: true)
      try write { () throws(SQLiteError) in
        if let text { try statements.index.run(Int64(row.rawValue), text) }
      }
      bytes -= text?.utf8.count ?? 0
      done = row
      if bytes <= 0 { break }
    }
    try noteIndexed(upTo: done.rawValue + 1)
    return try isIndexBehind()
  }

  /// The rows that hold every word of a query, in no order; of the last word the beginning is enough.
  ///
  /// Case and diacritics are folded; what is canonically equal is the same. A query without a word finds nothing. Rows that no board holds, and
  /// are kept for an undo, are among them. O(rows found).
  ///
  /// - Parameters:
  ///   - query: words, separated by white space; nothing in it is syntax. What has neither letters nor digits is no word; where others
  ///     stand between them, the parts have to follow each other in the text.
  ///   - source: whose rows; nil for all.
  /// - Returns: the rows.
  /// - Throws: `StoreError`.
  public func search(_ query: String, source: String? = nil) throws(StoreError) -> [RowID] {
    var words = query.withoutDiacritics.unicodeScalars
      .split { $0.properties.isWhitespace || $0 == "\0" }
      .filter { $0.contains(where: Self.isTokenPart) }.map(Self.phrase)
    guard let last = words.popLast() else { return [] }
    // Each is looked up once.
    words = Set(words).sorted() + [last]
    var rows: [RowID] = []
    try read { () throws(SQLiteError) in
      let (expression, found) = (
        words.joined(separator: " ") + "*",
        { (row: Row) in rows.append(RowID(UInt64(bitPattern: row.integer(0)))) }
      )
      if let source {
        try statements.searchOfSource.forEach(expression, source, body: found)
      } else {
        try statements.search.forEach(expression, body: found)
      }
    }
    return rows
  }

  /// How many words a search for `query` looks up: of a word in which others than letters and digits stand, every part.
  ///
  /// - Complexity: O(*n*)
  public static func wordCount(of query: String) -> Int {
    query.withoutDiacritics.unicodeScalars.split { !isTokenPart($0) }.count
  }

  /// A word as a string of FTS5's: <https://sqlite.org/fts5.html#full_text_query_syntax>, section 3.1.
  private static func phrase(_ word: Substring.UnicodeScalarView) -> String {
    let parts = word.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.map { String($0) }.joined(separator: "\"\"") + "\""
  }

  /// Whether the tokenizer, unicode61, makes words of it: <https://sqlite.org/fts5.html#unicode61_tokenizer>.
  private static func isTokenPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }

  private func noteIndexed(upTo end: UInt64) throws(StoreError) {
    try write { () throws(SQLiteError) in
      try statements.saveCounter.run(IndexCounter.id, Int64(end))
    }
    indexEnd = end
  }

  private func rowsToIndex(limit: Int) throws(StoreError) -> [RowID] {
    var rows: [RowID] = []
    // What stands behind the last number that there can be is damage: nothing would come after it.
    let last = RowID(UInt64(Bounds.numbers.upperBound) - 2)
    try read { () throws(SQLiteError) in
      try statements.unindexed.forEach(
        RepresentationKey.of(RowID(indexEnd), at: 0), RepresentationKey.range(of: last).1,
        Int64(limit)
      ) { found in
        let row = RowID(UInt64(found.integer(0)) >> 8)
        if rows.last != row { rows.append(row) }
      }
    }
    return rows
  }

  /// The text of a row that is, or is to be, indexed; nil where it has none, or is not to be indexed yet.
  func text(toIndexOf row: RowID, force: Bool = false) throws(StoreError) -> String? {
    guard force || row.rawValue < indexEnd else { return nil }
    do throws(StoreError) {
      return try text(of: row, limit: Self.indexedByteLimit)?.withoutDiacritics
    } catch {
      // A content that is lost has no words any more; the words of all other rows are found
      // nevertheless.
      if error.isOfOneContent { return nil }
      throw error
    }
  }

  /// Indexes what a row has come to hold, where its turn has been: what is not in the index must never be taken out of it.
  func indexContent(of row: RowID) throws(StoreError) {
    guard row.rawValue < indexEnd else { return }
    let text = try text(toIndexOf: row)
    try write { () throws(SQLiteError) in try index(row, text) }
  }

  /// Indexes what a row has come to hold, where its turn has been.
  func index(_ row: RowID, _ text: String?) throws(SQLiteError) {
    guard let text, row.rawValue < indexEnd else { return }
    try statements.index.run(Int64(row.rawValue), text)
  }

  /// Takes out of the index what a row holds no more.
  func unindex(_ row: RowID, _ text: String?) throws(SQLiteError) {
    guard let text, row.rawValue < indexEnd else { return }
    try statements.unindex.run(Int64(row.rawValue), text)
  }
}

/// How far the index is.
enum IndexCounter {
  /// Its number in the table of counters.
  static let id: Int64 = 3
}
