import DragboardClient

/// The time that a daemon has for an answer to the doctor.
enum Deadline {
  private static let limit = Duration.seconds(3)

  /// Runs `body`; after the limit it is cancelled.
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
