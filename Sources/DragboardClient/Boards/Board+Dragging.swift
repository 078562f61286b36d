extension Board {
  /// Begins a drag of rows.
  ///
  /// A destination receives the present contents of the rows, even if the rows are changed or
  /// deleted later.
  ///
  /// - Parameters:
  ///   - items: the rows in order, without duplicates.
  ///   - application: the identity of the source. If the same application drops the rows on this
  ///     board, they move.
  /// - Returns: the drag.
  /// - Throws: `noSuchItem`, `invalidArguments`, `accessDenied`, `limitsExceeded`.
  public func beginDrag(
    of items: [ItemID], as application: Application = .thisConnection
  ) async throws(DragboardError) -> ActiveDrag {
    try await connection.beginDrag(of: items, from: objectPath, as: application)
  }
}
