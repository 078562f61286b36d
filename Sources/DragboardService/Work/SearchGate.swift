import DBus

/// The times at which searches may begin.
///
/// SQLite cannot copy its log to the database while a search is in progress, so the log grows. If
/// there are searches for a second without a pause, new searches wait until all others have ended.
final class SearchGate {
  private static let maxTime = Duration.seconds(1)

  private let scheduler: Scheduler
  private var runningCount = 0
  /// The time since which searches are in progress.
  private var start = Duration.zero
  private var waiting: [(Step) -> Void] = []

  init(_ scheduler: Scheduler) { self.scheduler = scheduler }

  /// Whether a search is in progress or waits.
  var isInUse: Bool { runningCount > 0 || !waiting.isEmpty }

  /// Calls `body` when a search may begin; `body` must call ``end(in:)`` at the end of the search.
  func begin(in step: Step, _ body: @escaping (Step) -> Void) {
    if runningCount == 0 { start = scheduler.uptime }
    guard scheduler.uptime - start <= Self.maxTime else { return waiting.append(body) }
    runningCount += 1
    body(step)
  }

  /// Records the end of a search.
  func end(in step: Step) {
    runningCount -= 1
    guard runningCount == 0, !waiting.isEmpty else { return }
    // The commit copies the log, because no search is in progress.
    step.afterTransaction { [self] in
      let bodies = waiting
      waiting = []
      for body in bodies { scheduler.step { begin(in: $0, body) } }
    }
  }
}
