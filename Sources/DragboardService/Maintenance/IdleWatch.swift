/// A watch that reports when the service can exit without a loss: when it was unused for a while, or
/// when another version of its program was installed.
final class IdleWatch {
  /// The timeout is measured in parts, because reading the clock at every call would cost more.
  private static let parts = 4

  private let scheduler: Scheduler
  private let timeout: Duration
  private let isIdle: () -> Bool
  private let isReplaced: () -> Bool
  private let onIdle: () -> Void
  private var quietParts = 0
  /// Whether another version was already installed when the current part began.
  private var wasReplaced = false
  /// Whether a call has arrived since the current part began.
  var wasUsed = true

  /// Creates a watch.
  ///
  /// - Parameters:
  ///   - scheduler: measures the time.
  ///   - timeout: the time without use.
  ///   - isIdle: returns whether nothing is in progress, apart from calls.
  ///   - isReplaced: returns whether another version of the program was installed.
  ///   - onIdle: is called after each timeout without use, and after each part in which another
  ///     version is installed and nothing is in progress.
  init(
    _ scheduler: Scheduler, timeout: Duration, isIdle: @escaping () -> Bool,
    isReplaced: @escaping () -> Bool, onIdle: @escaping () -> Void
  ) {
    (self.scheduler, self.timeout, self.isIdle, self.onIdle) = (scheduler, timeout, isIdle, onIdle)
    self.isReplaced = isReplaced
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
    let isReplaced = isReplaced()
    // The other programs of an update may be installed a moment later, so wait for one part.
    let canBeReplaced = isReplaced && wasReplaced && isIdle()
    wasReplaced = isReplaced
    if quietParts >= Self.parts || canBeReplaced { onIdle() }
  }
}
