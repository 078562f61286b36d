/// A sequence of positions, each taken or free.
///
/// It counts the taken positions before any position in O(log n).
///
/// A Fenwick tree over words of 64 positions. Source: Fenwick, "A New Data Structure for Cumulative
/// Frequency Tables".
struct OccupancyTree {
  private var words: [UInt64]
  private var sums: [Int]

  /// Creates a tree of `count` free positions.
  init(count: Int) {
    words = [UInt64](repeating: 0, count: count / 64 + 1)
    sums = [Int](repeating: 0, count: words.count + 1)
  }

  /// Marks a free position as taken.
  mutating func take(_ place: Int) {
    words[place >> 6] |= 1 << UInt64(place & 63)
    add(1, at: place >> 6)
  }

  /// Marks a taken position as free.
  mutating func free(_ place: Int) {
    words[place >> 6] &= ~(1 << UInt64(place & 63))
    add(-1, at: place >> 6)
  }

  /// Returns the number of taken positions in a range.
  func takenCount(in range: Range<Int>) -> Int {
    takenCount(before: range.upperBound) - takenCount(before: range.lowerBound)
  }

  private mutating func add(_ difference: Int, at word: Int) {
    var index = word + 1
    while index < sums.count {
      sums[index] += difference
      index += index & -index
    }
  }

  private func takenCount(before place: Int) -> Int {
    var index = place >> 6
    var sum = (words[index] & (1 << UInt64(place & 63) - 1)).nonzeroBitCount
    while index > 0 {
      sum += sums[index]
      index &= index - 1
    }
    return sum
  }
}
