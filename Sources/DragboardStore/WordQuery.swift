/// The words that a search looks for.
struct WordQuery {
  /// The last part of the last word, with which a word of the text begins; nil for an empty query.
  let prefix: String?
  /// The other words and parts, in FTS5's syntax; nil if there are none.
  let wholeWords: String?
  /// Whether some whole words must follow each other.
  let hasPhrase: Bool
  /// The words, each divided into its parts.
  let words: [[String]]

  /// Creates a query for these words, each divided into its parts as in the index.
  init(_ words: [[String]]) {
    self.words = words
    var words = words
    var last = words.popLast() ?? []
    prefix = last.popLast().map(Self.truncated)
    if !last.isEmpty { words.append(last) }
    // Every distinct word is looked up once.
    let phrases = Set(words.map(Self.phrase)).sorted()
    wholeWords = phrases.isEmpty ? nil : phrases.joined(separator: " ")
    hasPhrase = words.contains { $0.count > 1 }
  }

  /// The number of bytes of a word that the index has: FTS5_MAX_TOKEN_SIZE.
  private static let maxWordBytes = 32_768

  private static func truncated(_ word: String) -> String {
    guard word.utf8.count > maxWordBytes else { return word }
    var end = word.utf8.index(word.startIndex, offsetBy: maxWordBytes)
    while end.samePosition(in: word.unicodeScalars) == nil { end = word.utf8.index(before: end) }
    return String(word[..<end])
  }

  /// Returns words that follow each other in FTS5's syntax.
  ///
  /// Source: <https://sqlite.org/fts5.html#full_text_query_syntax>, section 3.1. The words have no
  /// quotation marks.
  static func phrase(_ words: [String]) -> String { "\"\(words.joined(separator: " "))\"" }

  /// Whether the prefix must follow other parts of its word.
  var prefixFollowsPart: Bool { (words.last ?? []).count > 1 }

  /// Returns comparisons with the words of a text, one for each word of the query.
  func comparisons() -> [Comparison] { words.map(Comparison.init) }

  /// A comparison of one word of a query with the words of a text.
  struct Comparison {
    fileprivate let leadingParts: [String]
    fileprivate let prefix: String
    /// The numbers of leading parts that the latest words of the text are equal to.
    private var partialMatches: [Int] = []
    /// Whether the text has a word that begins with the word.
    private(set) var isBeginning = false
    /// Whether the text has the word.
    private(set) var isWhole = false

    fileprivate init(_ parts: [String]) {
      leadingParts = Array(parts.dropLast())
      prefix = parts.last.map(WordQuery.truncated) ?? ""
    }

    /// Compares the next word of the text.
    mutating func read(_ word: String) {
      guard !leadingParts.isEmpty else { return readLastPart(word) }
      var longer: [Int] = []
      for count in partialMatches + [0] {
        if count == leadingParts.count {
          readLastPart(word)
        } else if word == leadingParts[count] {
          longer.append(count + 1)
        }
      }
      partialMatches = longer
    }

    private mutating func readLastPart(_ word: String) {
      guard word.utf8.starts(with: prefix.utf8) else { return }
      isBeginning = true
      if word.utf8.count == prefix.utf8.count { isWhole = true }
    }
  }
}
