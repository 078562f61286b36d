package import BoardModel
internal import DragModel
internal import SQLite

/// A search in the index of words, which returns the found rows in short parts.
///
/// Between the parts, the store may be read and written, and no statement is open. FTS5's own search
/// for a prefix merges the rows of all words that begin with it in one step, however many there are.
/// So this search reads these words one after the other, and asks FTS5 only for whole words.
package final class WordSearch {
  private let words: WordTable
  private let query: WordQuery
  private let source: String?
  /// Whether the last word of the query must be a whole word, too.
  private let needsWholeWords: Bool
  private let occurrences, rowsOfWord, matches: Statement

  /// The rows with a word that begins with the prefix.
  private var candidates = RowSet()
  /// The ranges of rows in which the whole words are not searched yet, the next one last.
  private var ranges: [ClosedRange<RowID>] = []
  /// The rows with all whole words whose text is not compared yet.
  private var unread: [RowID] = []
  private var stage = Stage.prefix(from: "")

  private enum Stage {
    /// Looks for words that begin with the prefix, from this word on.
    case prefix(from: String)
    /// Looks for further rows of this word.
    case word(String, after: RowID?)
    /// Looks for the whole words in the candidates.
    case wholeWords
    case end
  }

  /// The number of occurrences of words that one part reads.
  private static let partCount = 1_024
  /// The number of bytes of texts after which a part ends.
  private static let partBytes = 64 << 10

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - words: the index.
  ///   - query: the words.
  ///   - source: the application whose rows are searched; nil for all applications.
  ///   - needsWholeWords: whether the last word of the query must be a whole word, too.
  /// - Throws: `StoreError`.
  init(
    _ words: WordTable, _ query: WordQuery, source: String?, needsWholeWords: Bool
  ) throws(StoreError) {
    (self.words, self.query, self.source) = (words, query, source)
    self.needsWholeWords = needsWholeWords
    let database = words.transaction.database
    occurrences = Statement(
      database, "SELECT term, doc FROM temp.occurrence WHERE term >= ? AND term <= ? LIMIT ?")
    rowsOfWord = Statement(
      database, "SELECT rowid FROM search WHERE search MATCH ? AND rowid > ? LIMIT ?")
    matches = Statement(
      database, "SELECT rowid FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ?")
    guard let prefix = query.prefix else {
      stage = .end
      return
    }
    guard !needsWholeWords else {
      stage = .word(prefix, after: nil)
      return
    }
    stage = .prefix(from: prefix)
    let table = Statement(
      database,
      "CREATE VIRTUAL TABLE IF NOT EXISTS temp.occurrence USING fts5vocab(main, search, instance)")
    try words.transaction.read { () throws(SQLiteError) in try table.run() }
  }

  /// Returns the next found rows, in any order, maybe none; nil at the end.
  ///
  /// Each row is returned once.
  package func nextPart() throws(StoreError) -> [RowID]? {
    switch stage {
    case .prefix(let word): return try readPrefix(from: word)
    case .word(let word, let row): return try readRows(of: word, after: row)
    case .wholeWords: return try unread.isEmpty ? findWholeWords() : compareTexts()
    case .end: return nil
    }
  }
}

// MARK: The prefix

extension WordSearch {
  private func readPrefix(from word: String) throws(StoreError) -> [RowID] {
    guard let prefix = query.prefix else { return [] }
    var last: (word: String, row: RowID)?
    var (count, rows) = (0, [RowID]())
    // No word has the noncharacter U+10FFFF.
    try words.transaction.read { () throws(SQLiteError) in
      try occurrences.forEach(word, prefix + "\u{10FFFF}", Int64(Self.partCount)) { found in
        let row = RowID(UInt64(bitPattern: found.integer(1)))
        if rows.last != row { rows.append(row) }
        count += 1
        if count == Self.partCount { last = (found.text(0) ?? "", row) }
      }
    }
    let new = try add(rows)
    stage = last.map { .word($0.word, after: $0.row) } ?? afterPrefix()
    return new
  }

  private func readRows(of word: String, after row: RowID?) throws(StoreError) -> [RowID] {
    var rows: [RowID] = []
    try words.transaction.read { () throws(SQLiteError) in
      try rowsOfWord.forEach(
        WordQuery.phrase([word]), row.map { Int64($0.rawValue) } ?? -1, Int64(Self.partCount)
      ) { rows.append(RowID(UInt64(bitPattern: $0.integer(0)))) }
    }
    let new = try add(rows)
    if rows.count == Self.partCount, let row = rows.last {
      stage = .word(word, after: row)
    } else if needsWholeWords {
      stage = afterPrefix()
    } else {
      // No word is between this word and the word with one more character.
      stage = .prefix(from: word + "\u{1}")
    }
    return new
  }

  /// Records rows with the prefix, and returns the new rows if the search needs no other word.
  private func add(_ rows: [RowID]) throws(StoreError) -> [RowID] {
    var new: [RowID] = []
    for row in rows where !candidates.contains(row) {
      guard try words.isSearched(row, by: source) else { continue }
      candidates.insert(row)
      new.append(row)
    }
    return query.wholeWords == nil ? new : []
  }

  private func afterPrefix() -> Stage {
    guard query.wholeWords != nil else { return .end }
    // FTS5 compares the positions of a phrase's words in every row.
    ranges = candidates.ranges(spanning: query.hasPhrase ? 256 : 65_536).reversed()
    return .wholeWords
  }
}

// MARK: The whole words

extension WordSearch {
  private func findWholeWords() throws(StoreError) -> [RowID]? {
    guard let range = ranges.popLast(), let expression = query.wholeWords else {
      stage = .end
      return nil
    }
    var rows: [RowID] = []
    try words.transaction.read { () throws(SQLiteError) in
      try matches.forEach(
        expression, Int64(range.lowerBound.rawValue), Int64(range.upperBound.rawValue)
      ) { found in
        let row = RowID(UInt64(bitPattern: found.integer(0)))
        if candidates.contains(row) { rows.append(row) }
      }
    }
    guard query.prefixFollowsPart else { return rows }
    unread = rows
    return []
  }

  /// Returns the rows in whose text the prefix follows the first parts of its word.
  private func compareTexts() throws(StoreError) -> [RowID] {
    var (bytes, found) = (0, [RowID]())
    while bytes < Self.partBytes, let row = unread.popLast() {
      guard let text = try words.text(of: row) else { continue }
      bytes += text.utf8.count
      guard var comparison = query.comparisons().last else { continue }
      var isFound: Bool { needsWholeWords ? comparison.isWhole : comparison.isBeginning }
      try words.forEachWord(of: text) { word in
        comparison.read(word)
        return !isFound
      }
      if isFound { found.append(row) }
    }
    return found
  }
}

extension BoardStore {
  /// Returns all rows that a search finds, in any order.
  package func search(_ query: String, source: String? = nil) throws(StoreError) -> [RowID] {
    let search = try beginSearch(query, source: source)
    var rows: [RowID] = []
    while let found = try search.nextPart() { rows += found }
    return rows
  }
}
