import Files

/// The return of freed memory to the system after a time without calls.
///
/// The allocator retains the many small blocks of a large list for later use. Without the trim, the
/// daemon would need as much memory as its largest call.
final class IdleTrim {
  private static let quietTime = Duration.seconds(2)

  private let scheduler: Scheduler
  private lazy var next = DelayedStep(scheduler) { [weak self] _ in self?.trim() }
  /// Whether a call has arrived since the trim was scheduled.
  private var wasUsed = false

  init(_ scheduler: Scheduler) { self.scheduler = scheduler }

  /// Records a call.
  ///
  /// The trim runs when no call has arrived for ``quietTime``.
  func noteCall() { wasUsed = !next.schedule(after: Self.quietTime) }

  private func trim() { if wasUsed { noteCall() } else { Heap.trim() } }
}
