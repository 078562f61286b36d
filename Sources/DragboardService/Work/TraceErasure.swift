import DBus
import DragboardStore
import Logging

/// Has the text of deleted rows erased from the files when the daemon has nothing else to do.
///
/// It takes O(index), so the larger the index, the rarer it is: it never takes more than a
/// hundredth of the time.
final class TraceErasure {
  /// The shortest time between a purge and the erasure; so long after one that failed.
  private static let minDelay = Duration.seconds(1)
  private static let retryDelay = Duration.seconds(60)
  /// How long the daemon waits between two steps, and how many steps are committed together.
  private static let pause = Duration.milliseconds(5)
  private static let stepsInCommit = 16

  private unowned let service: Service
  private var isScheduled = false
  private var steps = 0
  /// How long the steps have taken since the erasure began.
  private var spent = Duration.zero
  /// When the next erasure may begin.
  private var earliest = ContinuousClock.now

  init(_ service: Service) { self.service = service }

  /// Erases what there is to erase, later.
  func eraseLater() {
    guard service.repository.hasTraces else { return }
    schedule(after: max(Self.minDelay, earliest - .now))
  }

  private func schedule(after delay: Duration) {
    guard !isScheduled else { return }
    isScheduled = true
    service.schedule(after: delay) { [weak self] in
      self?.isScheduled = false
      self?.eraseSome()
    }
  }

  private func eraseSome() {
    // What another event of this iteration has written is committed with its batch, or not at all.
    guard !service.batch.isOpen else { return schedule(after: Self.minDelay) }
    do throws(StoreError) {
      let start = ContinuousClock.now
      let isMore = try eraseStep()
      spent += .now - start
      if isMore { return schedule(after: Self.pause) }
      earliest = .now + spent * 99
      spent = .zero
    } catch {
      service.repository.rollback()
      service.log.error("what was deleted is not erased yet: \(error)")
      schedule(after: Self.retryDelay)
    }
  }

  private func eraseStep() throws(StoreError) -> Bool {
    let isMore = try service.repository.eraseTraces()
    steps += 1
    guard steps.isMultiple(of: Self.stepsInCommit) || !isMore else { return true }
    try service.repository.commit()
    return isMore
  }
}
