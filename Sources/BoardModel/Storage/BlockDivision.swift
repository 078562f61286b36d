/// The way to divide rows that do not fit into one block among several blocks.
enum BlockDivision {
  /// Equal parts, so that each block has room for more rows.
  case even

  /// Every block except the last is full, because more rows are expected at the end.
  case firstFull

  /// Every block except the first is full, because more rows are expected at the beginning.
  case lastFull

  /// Returns the ranges of the rows, none longer than `capacity`.
  func ranges(of count: Int, capacity: Int) -> [Range<Int>] {
    let parts = (count + capacity - 1) / capacity
    let bounds = (0...parts).map { part in
      switch self {
      case .even: part * count / parts
      case .firstFull: min(part * capacity, count)
      case .lastFull: max(count - (parts - part) * capacity, 0)
      }
    }
    return zip(bounds, bounds.dropFirst()).map { $0..<$1 }
  }
}
