import CLinux

/// Returns freed memory to the system when calls stop.
///
/// The allocator keeps the many small pieces of a large list for the next one. Without this, the
/// daemon stays as large as in its largest call.
final class IdleTrim {
  private static let quietTime = Duration.seconds(2)

  private let scheduler: Scheduler
  private var isScheduled = false
  private var wasUsed = false

  init(_ scheduler: Scheduler) { self.scheduler = scheduler }

  /// Notes a call: the trim waits until no other follows it for ``quietTime``.
  func noteCall() {
    wasUsed = true
    if !isScheduled { schedule() }
  }

  private func schedule() {
    isScheduled = true
    wasUsed = false
    scheduler.after(Self.quietTime) { [weak self] _ in
      guard let self else { return }
      if wasUsed { return schedule() }
      isScheduled = false
      clinux_malloc_trim()
    }
  }
}
