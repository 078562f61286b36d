import DragboardStore
import Logging

/// The indexing of rows' words, when the daemon is idle and before a search.
final class WordIndex {
  typealias Waiter = (Step, Result<Void, StoreError>) -> Void

  /// The time without new rows after which rows are indexed.
  private static let quietTime = Duration.milliseconds(500)
  /// The time between two steps if no search waits, and the delay after a failed step.
  private static let pause = Duration.milliseconds(20)
  private static let retryDelay = Duration.seconds(60)

  private let scheduler: Scheduler
  private let log: Logger
  private lazy var next = DelayedStep(scheduler) { [weak self] in self?.indexIfQuiet(in: $0) }
  private var isBehind = true
  private var latestRows = Duration.zero
  private var waiters: [Waiter] = []

  init(_ scheduler: Scheduler, _ log: Logger) { (self.scheduler, self.log) = (scheduler, log) }

  /// Whether a search waits.
  var isAwaited: Bool { !waiters.isEmpty }

  /// Records that rows have been stored.
  func noteRows() {
    (isBehind, latestRows) = (true, scheduler.uptime)
    next.schedule(after: Self.quietTime)
  }

  /// Records that traces have been erased from the index.
  ///
  /// The next step renews the index if it has too many levels.
  func noteErasure() { noteRows() }

  /// Calls `body` at once if all rows are in the index.
  ///
  /// Otherwise it indexes the rows after the transaction, even if the transaction is rolled back,
  /// and then calls `body` in a later step.
  func catchUp(in step: Step, _ body: @escaping Waiter) {
    guard isBehind else { return body(step, .success(())) }
    waiters.append(body)
    step.afterTransaction { [self] in
      scheduler.after(.zero) { [weak self] in self?.indexSome(in: $0) }
    }
  }

  private func indexIfQuiet(in step: Step) {
    let rest = latestRows + Self.quietTime - scheduler.uptime
    if rest > .zero { next.schedule(after: rest) } else { indexSome(in: step) }
  }

  private func indexSome(in step: Step) {
    guard isBehind else { return notify(.success(())) }
    do throws(StoreError) {
      let hasMore = try step.writeApart { store throws(StoreError) in
        let hasMore = try store.indexSome()
        try store.commit()
        return hasMore
      }
      guard let hasMore else { return proceed() }
      isBehind = hasMore
      if isBehind { proceed() } else { notify(.success(())) }
    } catch {
      log.error("rows cannot be added to the index of words yet: \(error)")
      notify(.failure(error))
      next.schedule(after: Self.retryDelay)
    }
  }

  private func proceed() {
    if waiters.isEmpty {
      next.schedule(after: Self.pause)
    } else {
      scheduler.after(.zero) { [weak self] in self?.indexSome(in: $0) }
    }
  }

  private func notify(_ result: Result<Void, StoreError>) {
    let bodies = waiters
    waiters = []
    for body in bodies { scheduler.step { body($0, result) } }
  }
}
