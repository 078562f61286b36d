/// The ranges of numbers in the database; a number beyond its range is damage.
package enum Bounds {
  /// The numbers of rows, sessions and views, below 2^53: recovery leaps ahead of the last one, and a row's number has to stay
  /// below 2^54.
  package static let numbers: Range<Int64> = 0..<1 << 53

  /// The numbers of boards, which have room beside them in the keys of blocks.
  package static let boards: ClosedRange<Int64> = 1...1 << 30

  /// The revisions of a board; those that recovery adds, too, fit the 40 bits beside its number.
  package static let revisions: Range<Int64> = 0..<1 << 39

  /// A number of bytes, or the next one that there can be: sums of many do not overflow.
  package static func bytes(_ count: Int64) -> Int { Int(min(max(0, count), 1 << 40)) }
}
