import DBus
import DragboardInterface

extension Board {
  /// Sets the types and patterns that a drop may bring.
  ///
  /// - Throws: `invalidArguments`, `limitsExceeded`.
  public func setAcceptedTypes(_ types: [ContentType]) async throws(DragboardError) {
    try await call(BoardInterface.setAcceptedTypes, types.map(\.rawValue))
  }

  /// Sets the maximum number of rows; 0 is the limit of the daemon.
  public func setMaxRows(_ count: Int) async throws(DragboardError) {
    guard let count = UInt32(exactly: count) else {
      throw DragboardError(
        .invalidArguments, "the most rows are \(count); valid is 0 to \(UInt32.max)")
    }
    try await set(BoardInterface.maxRows, to: count)
  }

  /// Sets whether a local drag may move several rows.
  public func setMovesMultipleRows(_ movesMultipleRows: Bool) async throws(DragboardError) {
    try await set(BoardInterface.movesMultipleRows, to: movesMultipleRows)
  }
}
