import DragboardClient

/// Shows the progress of a drop on a terminal.
struct ProgressFollower: Sendable {
  private let session: DragSession
  private let bar = ProgressBar("loading")

  init(_ session: DragSession) { self.session = session }

  /// Follows the session as long as `body` runs.
  func follow(_ body: @Sendable () async throws -> Void) async throws {
    guard bar.isShown else { return try await body() }
    let events = try await session.events()
    let bar = bar
    let following = Task {
      for try await event in events { bar.show(event) }
    }
    defer {
      following.cancel()
      ProgressBar.clear()
    }
    try await body()
  }
}
