import DragboardClient

/// The display of a drop's progress on a terminal.
struct ProgressFollower: Sendable {
  private let session: DragSession
  private let bar = ProgressBar("loading")

  init(_ session: DragSession) { self.session = session }

  /// Shows the progress of the session while `body` runs.
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
