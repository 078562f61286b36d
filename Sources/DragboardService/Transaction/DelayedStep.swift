/// A function that runs as a step of its own after a delay; at most one call of it is scheduled.
final class DelayedStep {
  private let scheduler: Scheduler
  private let body: (Step) -> Void
  private var isScheduled = false

  init(_ scheduler: Scheduler, _ body: @escaping (Step) -> Void) {
    (self.scheduler, self.body) = (scheduler, body)
  }

  /// Schedules a call.
  ///
  /// - Returns: false if one is scheduled already.
  @discardableResult
  func schedule(after delay: Duration) -> Bool {
    guard !isScheduled else { return false }
    isScheduled = true
    scheduler.after(delay) { [weak self] step in
      self?.isScheduled = false
      self?.body(step)
    }
    return true
  }
}
