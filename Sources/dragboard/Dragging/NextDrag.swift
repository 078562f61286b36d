import DragboardClient

/// The wait for a drag that `dragboard drop --wait` can drop.
struct NextDrag {
  /// The time without a new item after which a drag counts as complete.
  ///
  /// No signal reports that a drag has all its items.
  private static let quiet = Duration.milliseconds(200)

  /// Waits until a drag is active and complete.
  ///
  /// Ignores a drag that only its source may drop.
  ///
  /// - Throws: `DragboardError`; `CommandError` if the bus is lost.
  static func wait(on dragboard: isolated DragboardConnection) async throws -> DragSession {
    let events = dragboard.events()
    if let session = try await dragboard.latestSession(), try await isComplete(session) {
      return session
    }
    for try await event in events {
      guard case .dragBegan(let id, _) = event else { continue }
      let session = DragSession(id, on: dragboard)
      if try await isComplete(session) { return session }
    }
    throw CommandError(.noDaemon, "the connection to the bus is closed")
  }

  /// Waits until a drag is complete; returns false if the drag ends before, or if only its source
  /// may drop it.
  private static func isComplete(_ session: DragSession) async throws -> Bool {
    do {
      var (info, count) = (try await session.info(), -1)
      while info.state == .active, info.itemCount == 0 || info.itemCount != count {
        count = info.itemCount
        try await Task.sleep(for: quiet)
        info = try await session.info()
      }
      return info.state == .active && !info.isRestrictedToApplication
    } catch let error as DragboardError {
      guard error.reason == .noSuchSession || error.reason == .sessionEnded else { throw error }
      return false
    }
  }
}
