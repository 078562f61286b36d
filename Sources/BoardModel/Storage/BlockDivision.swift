/// The division of rows among several blocks, if they are too many for one.
enum BlockDivision {
  /// Equal parts: each block has room for more rows.
  case even

  /// Every block but the last is full: more rows come at the end.
  case firstFull

  /// Every block but the first is full: more rows come at the beginning.
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
