package import BoardModel

/// The keys of the table `representation`: the row, and the place in the order of fidelity.
package enum RepresentationKey {
  /// The places that there are.
  static let places = 0..<256

  /// The key of one representation, whose place there is.
  package static func of(_ row: RowID, at place: Int) -> Int64 {
    Int64(bitPattern: row.rawValue << 8) | Int64(place)
  }

  /// The lowest and the highest key that a representation of the row can have.
  package static func range(of row: RowID) -> (Int64, Int64) {
    (of(row, at: places.lowerBound), of(row, at: places.upperBound - 1))
  }
}
