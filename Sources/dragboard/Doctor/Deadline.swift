import DragboardClient

/// The time limit for the daemon's replies to `dragboard doctor`.
enum Deadline {
  private static let limit = Duration.seconds(3)

  /// Runs `body`, and cancels it after the limit.
  ///
  /// - Returns: the result; nil after the limit.
  static func run<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result? {
    try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }
}
