import DragboardStore
import Logging

/// The removal of unneeded data from the store, in small steps between the calls of clients.
final class Purge {
  /// The delay before a purge, between its steps, and after a step that failed.
  private static let delay = Duration.milliseconds(20)
  private static let pause = Duration.milliseconds(1)
  private static let retryDelay = Duration.seconds(60)
  /// The maximum number of steps that are committed together, unless they delete many bytes.
  private static let stepsInCommit = 16

  private let scheduler: Scheduler
  private let log: Logger
  private let traces: TraceErasure
  /// Permanently deletes one board that can no longer be restored, and returns whether there was
  /// such a board.
  var purgeBoards: (BoardStore) throws(StoreError) -> Bool = { _ in false }
  private lazy var next = DelayedStep(scheduler) { [weak self] in self?.purgeSome(in: $0) }
  private var steps = 0

  init(_ scheduler: Scheduler, _ log: Logger, _ traces: TraceErasure) {
    (self.scheduler, self.log, self.traces) = (scheduler, log, traces)
  }

  func later() { next.schedule(after: Self.delay) }

  private func purgeSome(in step: Step) {
    do throws(StoreError) {
      guard let hasMore = try step.writeApart(purgeSome) else { return later() }
      // Some files can be removed only after the commit.
      if hasMore || step.store.hasGarbage {
        next.schedule(after: Self.pause)
      } else {
        traces.later(step.store)
      }
    } catch {
      log.error("deleted data cannot be removed yet: \(error)")
      next.schedule(after: Self.retryDelay)
    }
  }

  private func purgeSome(in store: BoardStore) throws(StoreError) -> Bool {
    var hasMore = try store.purge()
    if !hasMore { hasMore = try purgeBoards(store) }
    steps += 1
    if !hasMore || steps >= Self.stepsInCommit
      || store.purgedByteCount >= RowContent.maxInlineByteCount
    {
      steps = 0
      try store.commit()
    }
    return hasMore
  }
}
