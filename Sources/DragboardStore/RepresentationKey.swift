package import BoardModel

/// The keys of the table `representation`.
///
/// A key contains the row, and the position in order of fidelity.
package enum RepresentationKey {
  /// The valid positions.
  static let places = 0..<256

  /// Returns the key of the representation at a valid position.
  package static func of(_ row: RowID, at place: Int) -> Int64 {
    Int64(bitPattern: row.rawValue << 8) | Int64(place)
  }

  /// Returns the lowest and the highest key that a representation of the row can have.
  package static func range(of row: RowID) -> (Int64, Int64) {
    (of(row, at: places.lowerBound), of(row, at: places.upperBound - 1))
  }
}
