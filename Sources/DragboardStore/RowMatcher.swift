package import BoardModel
internal import CUTF8Proc
internal import Glibc

/// The way in which a row has the words of a query, the best first.
package enum RowMatch: Int, Comparable, Sendable {
  /// The row has every word.
  case words
  /// The row has every word, the last one at the beginning of a longer word.
  case beginning
  /// The row has every word, some in longer words or across words.
  case part

  package static func < (one: RowMatch, other: RowMatch) -> Bool { one.rawValue < other.rawValue }
}

/// A comparison of single rows with a query.
///
/// It finds the words of the query also inside of other words, which the index of words cannot.
package final class RowMatcher {
  private let words: WordTable
  private let query: WordQuery
  private let source: String?
  /// The parts of words that a row has if it has the words of the query.
  private let wordParts: [[UInt8]]
  /// The words of the query, with all their characters.
  private let texts: [[UInt8]]

  init(_ words: WordTable, _ text: String, _ query: WordQuery, source: String?) {
    (self.words, self.query, self.source) = (words, query, source)
    wordParts = query.words.flatMap { $0 }.map { Array($0.utf8) }
    texts = text.withoutDiacritics.unicodeScalars.split { $0.properties.isWhitespace }
      .map { String($0).foldedBytes }
  }

  /// Compares a row with the query.
  ///
  /// - Parameter row: the row. Its name and its text are compared, as far as they are indexed.
  /// - Returns: the match, nil if the row does not match, and the number of bytes that were compared.
  /// - Throws: `StoreError`.
  package func match(
    of row: RowID
  ) throws(StoreError) -> (match: RowMatch?, byteCount: Int) {
    guard try words.isSearched(row, by: source), let text = try words.text(of: row) else {
      return (nil, 0)
    }
    let bytes = text.foldedBytes
    if !wordParts.isEmpty, wordParts.allSatisfy(bytes.hasPart(_:)),
      let match = try wordMatch(of: text)
    {
      return (match, bytes.count)
    }
    let hasTexts = !texts.isEmpty && texts.allSatisfy(bytes.hasPart(_:))
    return (hasTexts ? .part : nil, bytes.count)
  }

  private func wordMatch(of text: String) throws(StoreError) -> RowMatch? {
    var comparisons = query.comparisons()
    try words.forEachWord(of: text) { word in
      for index in comparisons.indices { comparisons[index].read(word) }
      return !comparisons.allSatisfy(\.isWhole)
    }
    guard let last = comparisons.last, last.isBeginning,
      comparisons.dropLast().allSatisfy(\.isWhole)
    else { return nil }
    return last.isWhole ? .words : .beginning
  }
}

extension String {
  /// The bytes of the text without case.
  fileprivate var foldedBytes: [UInt8] {
    var bytes = [UInt8](utf8)
    var isASCII = true
    for index in bytes.indices {
      let byte = bytes[index]
      if byte >= 0x80 { isASCII = false }
      if UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte { bytes[index] = byte | 0x20 }
    }
    guard !isASCII else { return bytes }
    bytes.removeAll(keepingCapacity: true)
    for scalar in unicodeScalars {
      let folded = Unicode.Scalar(
        UInt32(bitPattern: utf8proc_tolower(Int32(bitPattern: scalar.value))))
      bytes.append(contentsOf: UTF8.encode(folded ?? scalar) ?? UTF8.encodedReplacementCharacter)
    }
    return bytes
  }
}

extension [UInt8] {
  fileprivate func hasPart(_ part: [UInt8]) -> Bool {
    withUnsafeBytes { bytes in part.withUnsafeBytes { bytes.hasPart($0) } }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func hasPart(_ part: UnsafeRawBufferPointer) -> Bool {
    guard let start = baseAddress, let wanted = part.baseAddress, count >= part.count else {
      return part.isEmpty
    }
    let end = start + (count - part.count + 1)
    var next = start
    while next < end, let found = memchr(next, Int32(part[0]), end - next) {
      if memcmp(found, wanted, part.count) == 0 { return true }
      next = UnsafeRawPointer(found) + 1
    }
    return false
  }
}
