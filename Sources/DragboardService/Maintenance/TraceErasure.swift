import DragboardStore
import Logging

/// The erasure of deleted rows' text from the files when the daemon is idle.
///
/// An erasure rewrites the index of words, so it takes O(index). The pause between two erasures is
/// at least 99 times as long as an erasure, so that erasures use at most one hundredth of the time.
final class TraceErasure {
  /// The minimum delay between a purge and the erasure, and the delay after a failed erasure.
  private static let minDelay = Duration.seconds(1)
  private static let retryDelay = Duration.seconds(60)
  /// The time between two steps, and the number of steps that are committed together.
  private static let pause = Duration.milliseconds(5)
  private static let stepsInCommit = 16

  private let scheduler: Scheduler
  private let log: Logger
  private let words: WordIndex
  private lazy var next = DelayedStep(scheduler) { [weak self] in self?.eraseSome(in: $0) }
  private var steps = 0
  /// The total time of the steps since the erasure began.
  private var spent = Duration.zero
  /// The time at which the next erasure may begin.
  private var earliest = ContinuousClock.now

  init(_ scheduler: Scheduler, _ log: Logger, _ words: WordIndex) {
    (self.scheduler, self.log, self.words) = (scheduler, log, words)
  }

  /// Schedules an erasure if there are traces to erase.
  func later(_ store: BoardStore) {
    guard store.hasTraces else { return }
    next.schedule(after: max(Self.minDelay, earliest - .now))
  }

  private func eraseSome(in step: Step) {
    do throws(StoreError) {
      let start = ContinuousClock.now
      guard let hasMore = try step.writeApart(eraseSome) else {
        next.schedule(after: Self.minDelay)
        return
      }
      spent += .now - start
      if hasMore {
        next.schedule(after: Self.pause)
      } else {
        (earliest, spent) = (.now + spent * 99, .zero)
        words.noteErasure()
      }
    } catch {
      log.error("traces of deleted text cannot be erased yet: \(error)")
      next.schedule(after: Self.retryDelay)
    }
  }

  private func eraseSome(in store: BoardStore) throws(StoreError) -> Bool {
    let hasMore = try store.eraseTraces()
    steps += 1
    guard steps.isMultiple(of: Self.stepsInCommit) || !hasMore else { return true }
    try store.commit()
    return hasMore
  }
}
