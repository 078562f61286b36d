/// A function that runs as a separate step after a delay.
///
/// At most one call is scheduled at a time.
final class DelayedStep {
  private let scheduler: Scheduler
  private let body: (Step) -> Void
  private var isScheduled = false

  init(_ scheduler: Scheduler, _ body: @escaping (Step) -> Void) {
    (self.scheduler, self.body) = (scheduler, body)
  }

  /// Schedules a call of the function.
  ///
  /// - Returns: false if a call is already scheduled.
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
