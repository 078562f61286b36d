import CLinux

/// The return of freed memory to the system when calls stop.
///
/// The allocator retains the many small blocks of a large list for the next one. Without the trim,
/// the daemon stays as large as in its largest call.
final class IdleTrim {
  private static let quietTime = Duration.seconds(2)

  private let scheduler: Scheduler
  private var isScheduled = false
  private var wasUsed = false

  init(_ scheduler: Scheduler) { self.scheduler = scheduler }

  /// Records a call: the trim waits until no call follows for ``quietTime``.
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
