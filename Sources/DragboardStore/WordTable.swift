internal import BoardModel
internal import SQLite

/// The words of rows' names and texts, in SQLite's full-text index.
///
/// New rows have higher numbers than older rows, and are indexed in this order. The indexing
/// happens some time after the creation of the rows, so that no edit waits for it. A counter
/// records the first row that is not indexed. A change of an indexed row updates the index at once.
final class WordTable {
  let transaction: StoreTransaction
  private let counters: CounterTable
  private let rows: RowTable
  private let unindexed, add, remove, removeAll, structure, sources: Statement
  private let tokenizer: Tokenizer
  /// The first row that is not in the index.
  private(set) var end: UInt64
  private var committedEnd: UInt64

  /// Reads the end of the index: the row up to which all rows are indexed.
  init(
    _ transaction: StoreTransaction, _ counters: CounterTable, _ rows: RowTable
  ) throws(StoreError) {
    let database = transaction.database
    self.transaction = transaction
    self.counters = counters
    self.rows = rows
    unindexed = Statement(
      database,
      """
      SELECT id, name NOT NULL FROM representation WHERE id BETWEEN ?1 AND ?2
        AND (type IS NULL OR type LIKE 'text/plain;%' OR name NOT NULL)
      ORDER BY id LIMIT ?3
      """)
    add = Statement(database, "INSERT INTO search(rowid, text) VALUES (?, ?)")
    remove = Statement(database, "INSERT INTO search(search, rowid, text) VALUES ('delete', ?, ?)")
    removeAll = Statement(database, "INSERT INTO search(search) VALUES ('delete-all')")
    tokenizer = Tokenizer(database)
    sources = Statement(database, "SELECT source = ? FROM representation WHERE id = ?")
    structure = Statement(database, "SELECT block FROM search_data WHERE id = 10")
    let stored = try counters.value(of: .indexEnd)
    guard Bounds.numbers ~= stored else {
      throw .damaged("the end of the index of words is out of range: \(stored)")
    }
    end = UInt64(stored)
    committedEnd = end
  }

  func didCommit() { committedEnd = end }

  func didRollBack() { end = committedEnd }
}

// MARK: Indexing

extension WordTable {
  /// Returns whether some rows are not indexed yet.
  func isBehind() throws(StoreError) -> Bool { try !next(limit: 1).isEmpty }

  /// Indexes the next rows, until a number of rows or a number of bytes is reached.
  ///
  /// The last row may exceed the number of bytes.
  func indexSome(limit: Int, byteLimit: Int) throws(StoreError) {
    let next = try next(limit: limit)
    guard var done = next.last?.row else { return }
    var bytes = byteLimit
    for (row, isNamed) in next {
      let text = try text(of: row, isNamed: isNamed)
      try transaction.write { () throws(SQLiteError) in
        if let text { try add.run(Int64(row.rawValue), text) }
      }
      bytes -= text?.utf8.count ?? 0
      done = row
      if bytes <= 0 { break }
    }
    let end = done.rawValue + 1
    try transaction.write { () throws(SQLiteError) in
      try counters.set(.indexEnd, to: Int64(end))
    }
    self.end = end
  }

  /// Returns the next rows to index, and whether each of them has a name.
  private func next(limit: Int) throws(StoreError) -> [(row: RowID, isNamed: Bool)] {
    var next: [(row: RowID, isNamed: Bool)] = []
    // Damage can cause a higher number. Such a row is ignored, because the counter has no number
    // after it.
    let last = RowID(UInt64(Bounds.numbers.upperBound) - 2)
    try transaction.read { () throws(SQLiteError) in
      try unindexed.forEach(
        RepresentationKey.of(RowID(end), at: 0), RepresentationKey.range(of: last).1,
        Int64(limit)
      ) { found in
        let row = RowID(UInt64(found.integer(0)) >> 8)
        // Only the first representation has the name.
        if next.last?.row != row { next.append((row, found.integer(1) != 0)) }
      }
    }
    return next
  }

  /// Returns whether the index covers a row.
  func includes(_ row: RowID) -> Bool { row.rawValue < end }

  /// Returns the name and the text of a row in their indexed form; nil if the row has neither.
  func text(of row: RowID, isNamed: Bool = true) throws(StoreError) -> String? {
    let text = try plainText(of: row)
    guard isNamed, let name = try rows.name(of: row) else { return text?.withoutDiacritics }
    return [name, text].compactMap { $0 }.joined(separator: "\n").withoutDiacritics
  }

  private func plainText(of row: RowID) throws(StoreError) -> String? {
    do throws(StoreError) {
      let text = try rows.text(of: row, limit: BoardStore.indexedByteLimit)
      let limit = BoardStore.sandboxedIndexedByteLimit
      guard let text, text.utf8.count > limit, try rows.usesSandbox(row) else { return text }
      return try rows.text(of: row, limit: limit)
    } catch {
      // A lost content has no words, but the words of all other rows must still be found.
      if error.isOfOneContent { return nil }
      throw error
    }
  }

  /// Returns the text of an indexed row, which is needed to remove its words; nil if the row is not
  /// indexed.
  func indexedText(of row: RowID) throws(StoreError) -> String? {
    includes(row) ? try text(of: row) : nil
  }

  /// Indexes the new content of a row if the index covers the row.
  ///
  /// Call it after every change, because the removal of a text that is not in the index would
  /// damage the index.
  func indexContent(of row: RowID) throws(StoreError) {
    guard let text = try indexedText(of: row) else { return }
    try transaction.write { () throws(SQLiteError) in try index(row, text) }
  }

  /// Indexes a text, as part of a write, if the index covers its row.
  func index(_ row: RowID, _ text: String?) throws(SQLiteError) {
    guard let text, includes(row) else { return }
    try add.run(Int64(row.rawValue), text)
  }

  /// Removes a text from the index, as part of a write, if the index covers its row.
  func unindex(_ row: RowID, _ text: String?) throws(SQLiteError) {
    guard let text, includes(row) else { return }
    try remove.run(Int64(row.rawValue), text)
  }
}

// MARK: Levels

extension WordTable {
  /// The maximum number of levels of the index.
  ///
  /// Later versions of SQLite have at most 64 levels.
  static let maxLevels = 100

  /// Empties the index if it has too many levels, so that all rows are indexed again.
  ///
  /// In SQLite 3.40, each erasure of traces adds two levels, and nothing removes levels. Every
  /// commit encodes all levels, and an index with more than 2,000 levels is considered damaged.
  func renewIfDeep() throws(StoreError) {
    if try levelCount() > Self.maxLevels { try renew() }
  }

  /// Empties the index, so that all rows are indexed again.
  func renew() throws(StoreError) {
    try transaction.write { () throws(SQLiteError) in
      try removeAll.run()
      try counters.set(.indexEnd, to: 0)
    }
    end = 0
  }

  /// Returns the number of levels of the index.
  ///
  /// In the record of the structure, this number follows a cookie of four bytes, and has seven bits
  /// in each byte. Source: SQLite's `fts5_index.c`.
  func levelCount() throws(StoreError) -> Int {
    try transaction.read { () throws(SQLiteError) in
      try structure.first { record in
        var count = 0
        for byte in Array(record.bytes(0)).dropFirst(4).prefix(4) {
          count = count << 7 | Int(byte & 0x7F)
          if byte < 0x80 { break }
        }
        return count
      } ?? 0
    }
  }
}

// MARK: Searching

extension WordTable {
  /// Begins a search for the rows that contain every word of a query.
  ///
  /// The last word may be a prefix, unless `needsWholeWords` is true.
  func search(
    _ query: String, source: String?, needsWholeWords: Bool
  ) throws(StoreError) -> WordSearch {
    try WordSearch(
      self, WordQuery(words(of: query)), source: source, needsWholeWords: needsWholeWords)
  }

  /// Returns a comparison of rows with a query.
  func matcher(for query: String, source: String?) throws(StoreError) -> RowMatcher {
    RowMatcher(self, query, WordQuery(try words(of: query)), source: source)
  }

  /// Returns whether an application may search a row: each application its own rows, nil all rows.
  func isSearched(_ row: RowID, by source: String?) throws(StoreError) -> Bool {
    guard let source else { return true }
    return try transaction.read { () throws(SQLiteError) in
      try sources.first(source, RepresentationKey.of(row, at: 0)) { $0.integer(0) != 0 } ?? false
    }
  }

  /// Returns the number of words that a search for `query` looks up.
  ///
  /// If characters other than letters and digits divide a word into parts, every part counts.
  func wordCount(of query: String) throws(StoreError) -> Int {
    try words(of: query).reduce(0) { $0 + $1.count }
  }

  /// Returns the words of a query, each divided into its parts as in the index.
  private func words(of query: String) throws(StoreError) -> [[String]] {
    var words: [[String]] = []
    let separated = query.withoutDiacritics.unicodeScalars
      .split { $0.properties.isWhitespace || $0 == "\0" }
      .filter { $0.contains(where: Self.isWordPart) }
    for word in separated {
      var parts: [String] = []
      try forEachWord(of: String(word)) {
        parts.append($0)
        return true
      }
      if !parts.isEmpty { words.append(parts) }
    }
    return words
  }

  /// Returns whether a scalar makes a text a word: letters, digits and private characters.
  ///
  /// The tokenizer of some versions of SQLite considers other symbols words, too.
  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }

  /// Passes the words of a text to `body`, as they are in the index, until it returns false.
  func forEachWord(of text: String, _ body: (String) -> Bool) throws(StoreError) {
    try transaction.read { () throws(SQLiteError) in try tokenizer.forEachToken(of: text, body) }
  }
}
