/// A count of the rows of one source and of their bytes.
package struct SourceUse {
  /// The application that the rows came from.
  package let source: String
  /// The number of rows that were counted.
  package private(set) var rows = 0
  /// The number of bytes of the representations of these rows.
  package private(set) var bytes = 0
  /// The key of the last counted representation.
  package var lastKey = Int64.min
  private var isInRow = false

  /// Creates an empty count for a source.
  package init(of source: String) { self.source = source }

  /// Counts a representation.
  ///
  /// - Parameters:
  ///   - source: the source of the row if this is its first representation; nil for its other
  ///     representations.
  ///   - byteCount: the size of the representation.
  package mutating func add(_ source: String?, byteCount: Int) {
    if let source {
      isInRow = source == self.source
      if isInRow { rows += 1 }
    }
    if isInRow { bytes += byteCount }
  }
}
