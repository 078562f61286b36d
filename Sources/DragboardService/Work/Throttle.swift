import DBus

/// A limit of ten reports per second.
///
/// Each report is made in a step.
final class Throttle {
  private static let interval = Duration.milliseconds(100)

  private let scheduler: Scheduler
  private var last: Duration?
  private var timer: Timer?

  init(_ scheduler: Scheduler) { self.scheduler = scheduler }

  /// Calls `report` now if the last call was at least 100 ms ago, otherwise later in a separate
  /// step.
  func ask(in step: Step, _ report: @escaping (Step) -> Void) {
    guard timer == nil else { return }
    let wait = last.map { $0 + Self.interval - scheduler.uptime } ?? .zero
    guard wait > .zero else { return act(step, report) }
    timer = scheduler.after(wait) { [weak self] step in
      self?.timer = nil
      self?.act(step, report)
    }
  }

  /// Cancels a delayed report.
  func stop() {
    scheduler.cancel(timer)
    timer = nil
  }

  private func act(_ step: Step, _ report: (Step) -> Void) {
    last = scheduler.uptime
    report(step)
  }
}
