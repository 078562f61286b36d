/// The bytes and rows of one source, counted so far.
package struct SourceUse {
  /// The application that the rows came from.
  package let source: String
  /// The number of rows.
  package private(set) var rows = 0
  /// The bytes of their representations.
  package private(set) var bytes = 0
  /// The key of the last counted representation.
  package var lastKey = Int64.min
  private var isInRow = false

  /// Makes a count of the rows of a source, with no rows yet.
  package init(of source: String) { self.source = source }

  /// Counts a representation; `source` is nil unless it is the first representation of its row.
  package mutating func add(_ source: String?, byteCount: Int) {
    if let source {
      isInRow = source == self.source
      if isInRow { rows += 1 }
    }
    if isInRow { bytes += byteCount }
  }
}
