extension Board {
  /// Begins a drag of rows.
  ///
  /// Their present contents stay loadable, even if the rows are changed or deleted.
  /// - Parameters:
  ///   - items: the rows in order, none twice.
  ///   - application: identity of the source; a drop of its own on this board moves.
  /// - Returns: the drag.
  /// - Throws: `noSuchItem`, `invalidArguments`, `accessDenied`, `limitsExceeded`.
  public func beginDrag(
    of items: [ItemID], as application: Application = .thisConnection
  ) async throws(DragboardError) -> ActiveDrag {
    try await connection.beginDrag(of: items, from: objectPath, as: application)
  }
}
