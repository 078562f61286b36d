internal import Dispatch

/// A thread for calls of libnats, which block until the server answers or the deadline passes.
///
/// The calls run one after another, in the order in which they were made.
struct BlockingCalls: Sendable {
  private let queue: DispatchQueue

  init(_ name: String) { queue = DispatchQueue(label: "org.dragboard.link.\(name)") }

  func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try body() }) }
    }
  }
}
