public import DragboardClient
import Glibc

/// The searchable texts of a board's rows: names, texts, addresses and the words of HTML.
///
/// A search scans all texts, so it finds any part of a word. Scanning 10,000 rows of 60 characters
/// takes less time than a frame of the display.
public struct SearchIndex: Sendable {
  private var texts: [ItemID: [UInt8]] = [:]
  private let fold: @Sendable (String) -> String

  /// The maximum number of scalars of a row's text.
  ///
  /// Words after it are not found.
  public static let maxLength = 1 << 16

  /// Creates an empty index.
  ///
  /// - Parameter fold: returns a text with case and accents removed.
  public init(fold: @escaping @Sendable (String) -> String) { self.fold = fold }

  /// Whether the index has the text of a row.
  public func contains(_ item: ItemID) -> Bool { texts[item] != nil }

  /// Sets the text of a row.
  public mutating func set(_ text: String, for item: ItemID) {
    set(folded: Self.folded(text, by: fold), for: item)
  }

  /// Sets the text of a row, which `folded` has prepared.
  public mutating func set(folded text: [UInt8], for item: ItemID) { texts[item] = text }

  /// Returns the searchable part of a text.
  ///
  /// It takes some time for a long text, so call it on another thread.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - fold: returns a text with case and accents removed.
  /// - Returns: the folded text.
  public static func folded(_ text: String, by fold: (String) -> String) -> [UInt8] {
    // A character can have any number of scalars.
    Array(fold(String(text.unicodeScalars.prefix(maxLength))).utf8)
  }

  /// Removes a row that was deleted or whose content has changed.
  public mutating func remove(_ item: ItemID) { texts[item] = nil }

  /// Removes all rows.
  public mutating func removeAll() { texts = [:] }

  /// Returns the rows that contain every word of a query.
  ///
  /// The words may occur in any order, and inside other words.
  public func rows(with query: String) -> Set<ItemID> {
    let words = query.split(whereSeparator: \.isWhitespace).map { Array(fold(String($0)).utf8) }
    guard !words.isEmpty else { return [] }
    return Set(texts.lazy.filter { row in words.allSatisfy(row.value.contains) }.map(\.key))
  }
}

extension [UInt8] {
  /// Returns whether `part`, which must not be empty, occurs.
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    withUnsafeBytes { all in
      guard let base = all.baseAddress else { return false }
      var start = 0
      while start + part.count <= all.count,
        let place = memchr(base + start, Int32(part[0]), all.count - start - part.count + 1)
      {
        if memcmp(place, part, part.count) == 0 { return true }
        start = UnsafeRawPointer(place) - base + 1
      }
      return false
    }
  }
}
