import BoardModel
import DragboardStore

/// A search for the best rows of a board, in short parts.
///
/// Rows with all words of the query come first, then rows whose words begin with the last word, and
/// then, among the newest rows, those that have the words inside of other words. The index of words
/// finds the first two kinds on the whole board, in any order. The newest rows are compared one after
/// the other, the newest first. So if many rows match, the search ends before it has found all.
final class RankedSearch {
  /// The maximum number of rows that a search finds.
  static let maxFound = 10_000
  /// The maximum number of newest rows that are compared.
  private static let maxNewest = 10_000
  /// The maximum number of bytes of the newest rows that are compared.
  private static let maxNewestBytes = 16 << 20
  /// The maximum number of rows, and of their bytes, in each part.
  private static let partCount = 32
  private static let partBytes = 64 << 10
  private static let renewalCount = 512
  /// The number of parts of the search for whole words that come before the newest rows.
  private static let earlyParts = 4

  private enum Stage {
    /// Reads the ages of rows that a duplicate has renewed.
    case renewals(before: UInt64)
    case wholeWords
    case newest
    case beginnings
  }

  private let store: BoardStore
  private let query: String
  private let source: String?
  private let wanted: Int
  private var stage = Stage.renewals(before: .max)
  private var ranked: RankedRows

  /// Nil when all rows with all words are known.
  private var wholeWords: WordSearch?
  private var wholeWordParts = 0
  private var beginnings: WordSearch?
  private let matcher: RowMatcher

  private var renewals: [RowID: UInt64] = [:]
  /// The newest rows, the newest first.
  private var newest: [(row: RowID, age: UInt64)] = []
  private var comparedCount = 0
  private var comparedBytes = 0

  /// The number of known rows with all words, and those of them among the compared newest rows.
  private var (wordCount, newestWordCount) = (0, 0)
  /// The number of compared newest rows with the beginning of the last word.
  private var newestBeginningCount = 0

  /// The found rows, the best first, at most one row more than wanted; empty before the end.
  private(set) var rows: [RowID] = []

  /// Begins a search.
  ///
  /// - Parameters:
  ///   - query: the words; at least one character that is not white space.
  ///   - max: the number of rows that are wanted.
  ///   - source: the application whose rows are searched; nil for all applications.
  ///   - board: the board.
  ///   - store: the store.
  /// - Throws: `StoreError`.
  init(
    _ query: String, max: Int, source: String?, on board: Board, in store: BoardStore
  ) throws(StoreError) {
    (self.query, self.source, self.store) = (query, source, store)
    wanted = min(max + 1, Self.maxFound)
    ranked = RankedRows(max: wanted)
    wholeWords = try store.beginSearch(query, source: source, needsWholeWords: true)
    matcher = try store.matcher(for: query, source: source)
  }

  /// Performs the next part; returns whether more remain.
  func proceed(on board: Board) throws(StoreError) -> Bool {
    var isDone = false
    switch stage {
    case .renewals(let end): try readRenewals(before: end, on: board)
    case .wholeWords: try findWholeWords(on: board)
    case .newest: try compareNewest(on: board)
    case .beginnings: isDone = try !findBeginnings(on: board)
    }
    guard isDone || hasEnough else { return true }
    rows = ranked.rows(on: board)
    return false
  }

  /// Whether no row that is not found yet can be among the wanted ones.
  private var hasEnough: Bool {
    newestWordCount >= wanted
      || wholeWords == nil && wordCount + newestBeginningCount >= wanted
  }

  // MARK: The newest rows

  private func readRenewals(before end: UInt64, on board: Board) throws(StoreError) {
    let renewed = try store.renewals(before: end, count: Self.renewalCount)
    for (row, age) in renewed where board.contains(row) { renewals[row] = age }
    if let last = renewed.last, renewed.count == Self.renewalCount,
      renewals.count < Self.maxNewest
    {
      stage = .renewals(before: last.age)
      return
    }
    let latest = board.newestRows(Self.maxNewest)
    newest = latest.map { ($0, renewals[$0] ?? $0.rawValue) }
    let numbered = Set(latest)
    newest += renewals.lazy.filter { !numbered.contains($0.key) }.map { ($0.key, $0.value) }
    if !renewals.isEmpty { newest.sort { $0.age > $1.age } }
    newest.removeLast(max(0, newest.count - Self.maxNewest))
    renewals = [:]
    stage = .wholeWords
  }

  private func compareNewest(on board: Board) throws(StoreError) {
    let end = comparedBytes + Self.partBytes
    for (row, age) in newest[comparedCount...].prefix(Self.partCount) where comparedBytes < end {
      comparedCount += 1
      guard board.contains(row) else { continue }
      let (match, byteCount) = try matcher.match(of: row)
      comparedBytes += byteCount
      guard let match else { continue }
      switch match {
      case .words: newestWordCount += 1
      case .beginning: newestBeginningCount += 1
      case .part: break
      }
      insert(row, match, age)
    }
    guard comparedCount == newest.count || comparedBytes >= Self.maxNewestBytes else { return }
    newest = []
    comparedCount = 0
    stage = wholeWords == nil ? .beginnings : .wholeWords
  }

  // MARK: The index of words

  private func findWholeWords(on board: Board) throws(StoreError) {
    guard let found = try wholeWords?.nextPart() else {
      wholeWords = nil
      stage = newest.isEmpty ? .beginnings : .newest
      return
    }
    try insert(found, .words, on: board)
    wholeWordParts += 1
    if wholeWordParts == Self.earlyParts, !newest.isEmpty { stage = .newest }
  }

  /// Finds further rows; returns false at the end.
  private func findBeginnings(on board: Board) throws(StoreError) -> Bool {
    let search =
      if let beginnings { beginnings } else { try store.beginSearch(query, source: source) }
    beginnings = search
    guard let found = try search.nextPart() else { return false }
    try insert(found, .beginning, on: board)
    return true
  }

  private func insert(
    _ found: [RowID], _ match: RowMatch, on board: Board
  ) throws(StoreError) {
    for row in found where board.contains(row) && !ranked.contains(row) {
      insert(row, match, try store.age(of: row))
    }
  }

  private func insert(_ row: RowID, _ match: RowMatch, _ age: UInt64) {
    guard !ranked.contains(row) else { return }
    if match == .words { wordCount += 1 }
    ranked.insert(row, match, age: age)
  }
}
