import DragboardClient

/// Finds the drag that a command is about.
enum SessionFinder {
  /// The drag of that number, or the latest.
  ///
  /// - Throws: `CommandError` where there is none.
  static func find(
    _ number: UInt64?, on dragboard: isolated DragboardConnection
  ) async throws -> DragSession {
    if let number { return DragSession(SessionID(number), on: dragboard) }
    guard let session = try await dragboard.latestSession() else {
      throw CommandError(
        .notFound, "nothing is being dragged", remedy: "'dragboard drag TEXT' begins a drag.")
    }
    return session
  }
}
