import DragboardClient
import ShelfModel

/// Waits for the daemon, and says so if the daemon does not answer.
///
/// An operation can take long although the daemon answers, for example if another application
/// provides content slowly. So if an operation takes longer than a second, a short call finds out
/// whether the daemon answers.
final class AnswerWatch {
  private let board: Board
  private let report: Report
  /// The number of operations that wait.
  private var count = 0
  private var timer: Timer?
  private var isAsking = false

  /// The time after which a short call is made, and the time for which it may take.
  private static let (delay, patience) = (Duration.seconds(1), Duration.seconds(2))

  /// Creates a watch over the calls to a board.
  init(_ board: Board, report: Report) { (self.board, self.report) = (board, report) }

  /// Performs an operation that the user waits for, without timeouts.
  ///
  /// An operation with several calls would otherwise end in the middle, and a call that the shelf
  /// considers failed would be performed later.
  func watch<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    count += 1
    schedule()
    defer {
      count -= 1
      if count == 0 { timer?.cancel() }
    }
    return try await DragboardConnection.withoutTimeouts(body)
  }

  private func schedule() {
    guard !isAsking else { return }
    timer?.cancel()
    timer = MainLoop.after(Self.delay) { [weak self] in self?.ask() }
  }

  private func ask() {
    isAsking = true
    let late = MainLoop.after(Self.patience) { [weak self] in
      guard let self, count > 0 else { return }
      report(
        localized("Dragboard does not answer. Drops and changes wait until it answers again."))
    }
    Task { [weak self, board] in
      // An error is an answer, too: other parts of the window show that the daemon is unreachable.
      _ = try? await DragboardConnection.withoutTimeouts { try await board.info() }
      late.cancel()
      guard let self else { return }
      isAsking = false
      if count > 0 { schedule() }
    }
  }
}
