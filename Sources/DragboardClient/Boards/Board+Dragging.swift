extension Board {
  /// Begins a drag of rows.
  ///
  /// Their current contents stay loadable, even if the rows are changed or deleted.
  /// - Parameters:
  ///   - items: the rows in order, without duplicates.
  ///   - application: the identity of the source. If it also drops the rows on this board, they
  ///     move.
  /// - Returns: the drag.
  /// - Throws: `noSuchItem`, `invalidArguments`, `accessDenied`, `limitsExceeded`.
  public func beginDrag(
    of items: [ItemID], as application: Application = .thisConnection
  ) async throws(DragboardError) -> ActiveDrag {
    try await connection.beginDrag(of: items, from: objectPath, as: application)
  }
}
