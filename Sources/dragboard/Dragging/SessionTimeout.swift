import DragboardClient

/// The time after which the daemon ends a drag that nobody uses.
struct SessionTimeout: Sendable {
  /// The time.
  let duration: Duration

  /// The timeout if the daemon does not report one: the daemon's default, in seconds.
  private static let standard: UInt64 = 600
  /// The longest time between two calls, so that the clock of the daemon need not be exact.
  private static let maxInterval = Duration.seconds(60)

  /// Reads the timeout from the daemon.
  init(of daemon: DragboardDaemon) async throws(DragboardError) {
    let limit = try await daemon.limits().byName["session-timeout"] ?? Self.standard
    // The daemon reports whole seconds, and rounds a shorter time to 0.
    duration = limit > 0 ? .seconds(Int64(clamping: limit)) : .milliseconds(500)
  }

  /// Keeps a session active while `body` runs.
  ///
  /// Any call that names the session restarts its timeout; this one reads the properties.
  func keepActive<Result: Sendable>(
    _ session: DragSession, _ body: () async throws -> Result
  ) async throws -> Result {
    let interval = min(duration / 3, Self.maxInterval)
    let calls = Task {
      while true {
        try await Task.sleep(for: interval)
        // An error also ends `body`, which reports it.
        _ = try await session.info()
      }
    }
    defer { calls.cancel() }
    return try await body()
  }
}
