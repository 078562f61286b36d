/// The ranges of numbers in the database.
///
/// A number outside its range means that the database is damaged.
package enum Bounds {
  /// The range of the numbers of rows, sessions and views: below 2^53.
  ///
  /// A row's number must stay below 2^54. The distance leaves room for the numbers that recovery
  /// skips.
  package static let numbers: Range<Int64> = 0..<1 << 53

  /// The range of the numbers of boards.
  ///
  /// It leaves room for the number of the block in the keys of blocks.
  package static let boards: ClosedRange<Int64> = 1...1 << 30

  /// The range of the revisions of a board.
  ///
  /// Keys have 40 bits for a revision. The range leaves room for the revisions that recovery adds.
  package static let revisions: Range<Int64> = 0..<1 << 39

  /// Returns the nearest plausible number of bytes, so that sums of many numbers do not overflow.
  package static func bytes(_ count: Int64) -> Int { Int(min(max(0, count), 1 << 40)) }
}
