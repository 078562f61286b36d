/// The ranges of numbers in the database; a number beyond its range is damage.
package enum Bounds {
  /// The numbers of rows, sessions and views, below 2^53.
  ///
  /// Recovery skips many numbers after the last known one, and a row's number must stay below 2^54.
  package static let numbers: Range<Int64> = 0..<1 << 53

  /// The numbers of boards, which leave room for other numbers in the keys of blocks.
  package static let boards: ClosedRange<Int64> = 1...1 << 30

  /// The revisions of a board.
  ///
  /// With those that recovery adds, they fit the 40 bits beside the board's number.
  package static let revisions: Range<Int64> = 0..<1 << 39

  /// Returns the nearest plausible number of bytes, so that sums of many do not overflow.
  package static func bytes(_ count: Int64) -> Int { Int(min(max(0, count), 1 << 40)) }
}
