/// A watch that reports when the service was unused for a while and can exit without a loss.
final class IdleWatch {
  /// The timeout is measured in parts, because reading the clock at every call would cost more.
  private static let parts = 4

  private let scheduler: Scheduler
  private let timeout: Duration
  private let isIdle: () -> Bool
  private let onIdle: () -> Void
  private var quietParts = 0
  /// Whether a call has arrived since the current part began.
  var wasUsed = true

  /// Creates a watch.
  ///
  /// - Parameters:
  ///   - scheduler: measures the time.
  ///   - timeout: the time without use.
  ///   - isIdle: returns whether nothing is in progress, apart from calls.
  ///   - onIdle: is called after each timeout without use.
  init(
    _ scheduler: Scheduler, timeout: Duration, isIdle: @escaping () -> Bool,
    onIdle: @escaping () -> Void
  ) {
    (self.scheduler, self.timeout, self.isIdle, self.onIdle) = (scheduler, timeout, isIdle, onIdle)
  }

  func start() {
    scheduler.after(timeout / Self.parts) { [weak self] _ in
      self?.look()
      self?.start()
    }
  }

  private func look() {
    quietParts = !wasUsed && isIdle() ? quietParts + 1 : 0
    wasUsed = false
    if quietParts >= Self.parts { onIdle() }
  }
}
