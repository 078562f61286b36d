/// A set of rows.
///
/// Row numbers are almost consecutive, so one word stores 64 consecutive numbers. If most rows are
/// members, the set needs only a few bits of memory for each member.
package struct RowSet: Hashable, Sendable {
  /// One bit for each row; the key is the row's number without its lowest six bits.
  private var words: [UInt64: UInt64] = [:]

  package init() {}

  /// Creates a set of rows, which may repeat.
  init(_ rows: some Sequence<RowID>) {
    for row in rows { insert(row) }
  }

  package var isEmpty: Bool { words.isEmpty }

  /// Returns whether the row is a member.
  package func contains(_ row: RowID) -> Bool {
    guard let word = words[row.rawValue >> 6] else { return false }
    return word & Self.bit(of: row) != 0
  }

  /// Inserts a row; returns whether it is new.
  @discardableResult
  package mutating func insert(_ row: RowID) -> Bool {
    let bit = Self.bit(of: row)
    return Self.set(bit, in: &words[row.rawValue >> 6, default: 0])
  }

  /// Removes a row; returns whether it was a member.
  @discardableResult
  mutating func remove(_ row: RowID) -> Bool {
    let number = row.rawValue >> 6
    guard let word = words[number], word & Self.bit(of: row) != 0 else { return false }
    let rest = word & ~Self.bit(of: row)
    words[number] = rest == 0 ? nil : rest
    return true
  }

  /// Returns ranges of at most `span` row numbers that cover all rows, in ascending order.
  ///
  /// - Parameter span: a multiple of 64.
  /// - Returns: the ranges, which also cover other rows.
  package func ranges(spanning span: UInt64) -> [ClosedRange<RowID>] {
    var ranges: [ClosedRange<RowID>] = []
    for number in words.keys.sorted() {
      let (first, last) = (number << 6, number << 6 | 63)
      if let range = ranges.last, last - range.lowerBound.rawValue < span {
        ranges[ranges.count - 1] = range.lowerBound...RowID(last)
      } else {
        ranges.append(RowID(first)...RowID(last))
      }
    }
    return ranges
  }

  private static func set(_ bit: UInt64, in word: inout UInt64) -> Bool {
    defer { word |= bit }
    return word & bit == 0
  }

  private static func bit(of row: RowID) -> UInt64 { 1 << (row.rawValue & 63) }
}
