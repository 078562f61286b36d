internal import BoardModel

/// The words of rows, in SQLite's full-text index.
///
/// Rows have numbers that only grow, and are indexed in that order, some time after they came: no edit
/// waits for it. A counter says how far the index is; changes behind that are indexed at once.
final class WordTable {
  private let transaction: StoreTransaction
  private let counters: CounterTable
  private let rows: RowTable
  private let unindexed, add, remove, found, foundOfSource: Statement
  /// Rows with a lower number are in the index.
  private(set) var end: UInt64
  private var committedEnd: UInt64

  /// Reads how far the index is.
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
      SELECT id, type FROM representation
      WHERE id BETWEEN ?1 AND ?2 AND (type IS NULL OR type LIKE 'text/plain;%')
      ORDER BY id LIMIT ?3
      """)
    add = Statement(database, "INSERT INTO search(rowid, text) VALUES (?, ?)")
    remove = Statement(database, "INSERT INTO search(search, rowid, text) VALUES ('delete', ?, ?)")
    found = Statement(database, "SELECT rowid FROM search WHERE search MATCH ?")
    foundOfSource = Statement(
      database,
      """
      SELECT search.rowid FROM search
      JOIN representation ON representation.id = search.rowid << 8
      WHERE search MATCH ? AND representation.source = ?
      """)
    let stored = try counters.value(of: .indexEnd)
    guard Bounds.numbers ~= stored else { throw .damaged("the index ends at row \(stored)") }
    end = UInt64(stored)
    committedEnd = end
  }

  func didCommit() { committedEnd = end }

  func didRollBack() { end = committedEnd }
}

// MARK: Indexing

extension WordTable {
  /// Whether there are rows that have not been indexed.
  func isBehind() throws(StoreError) -> Bool { try !next(limit: 1).isEmpty }

  /// Indexes the next rows, up to a number of rows, and up to the row that exceeds a number of bytes.
  func indexSome(limit: Int, byteLimit: Int) throws(StoreError) {
    let next = try next(limit: limit)
    guard var done = next.last else { return }
    var bytes = byteLimit
    for row in next {
      let text = try text(of: row)
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

  private func next(limit: Int) throws(StoreError) -> [RowID] {
    var next: [RowID] = []
    // A row behind the last possible number is damage: nothing would come after it.
    let last = RowID(UInt64(Bounds.numbers.upperBound) - 2)
    try transaction.read { () throws(SQLiteError) in
      try unindexed.forEach(
        RepresentationKey.of(RowID(end), at: 0), RepresentationKey.range(of: last).1,
        Int64(limit)
      ) { found in
        let row = RowID(UInt64(found.integer(0)) >> 8)
        if next.last != row { next.append(row) }
      }
    }
    return next
  }

  /// Whether a row has had its turn: its words are in the index.
  func includes(_ row: RowID) -> Bool { row.rawValue < end }

  /// The text of a row as the index has it; nil if it has none.
  func text(of row: RowID) throws(StoreError) -> String? {
    do throws(StoreError) {
      return try rows.text(of: row, limit: BoardStore.indexedByteLimit)?.withoutDiacritics
    } catch {
      // A content that is lost has no words any more; the words of all other rows are found
      // nevertheless.
      if error.isOfOneContent { return nil }
      throw error
    }
  }

  /// The text of a row if its words are in the index: whoever removes the row needs it to remove them.
  func indexedText(of row: RowID) throws(StoreError) -> String? {
    includes(row) ? try text(of: row) : nil
  }

  /// Indexes the new content of a row that has had its turn: a text that is not in the index must never
  /// be removed from it.
  func indexContent(of row: RowID) throws(StoreError) {
    guard let text = try indexedText(of: row) else { return }
    try transaction.write { () throws(SQLiteError) in try index(row, text) }
  }

  /// Indexes a text, within a write, if the row has had its turn.
  func index(_ row: RowID, _ text: String?) throws(SQLiteError) {
    guard let text, includes(row) else { return }
    try add.run(Int64(row.rawValue), text)
  }

  /// Removes, within a write, a text of a row that has had its turn.
  func unindex(_ row: RowID, _ text: String?) throws(SQLiteError) {
    guard let text, includes(row) else { return }
    try remove.run(Int64(row.rawValue), text)
  }
}

// MARK: Searching

extension WordTable {
  /// The rows that have every word of a query, in no order; the last word may be the beginning of one.
  func search(_ query: String, source: String?) throws(StoreError) -> [RowID] {
    var words = query.withoutDiacritics.unicodeScalars
      .split { $0.properties.isWhitespace || $0 == "\0" }
      .filter { $0.contains(where: Self.isTokenPart) }.map(Self.phrase)
    guard let last = words.popLast() else { return [] }
    // Each is looked up once.
    words = Set(words).sorted() + [last]
    let expression = words.joined(separator: " ") + "*"
    var rows: [RowID] = []
    try transaction.read { () throws(SQLiteError) in
      let collect = { (row: Row) in rows.append(RowID(UInt64(bitPattern: row.integer(0)))) }
      if let source {
        try foundOfSource.forEach(expression, source, body: collect)
      } else {
        try found.forEach(expression, body: collect)
      }
    }
    return rows
  }

  /// How many words a search for `query` looks up: of a word with other characters than letters and
  /// digits, every part.
  static func wordCount(of query: String) -> Int {
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
}
