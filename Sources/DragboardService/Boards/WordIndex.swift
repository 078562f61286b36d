import DBus
import DragboardStore
import Logging

/// Has rows put into the index of words when nothing else is going on, and at once where somebody searches.
final class WordIndex {
  /// Rows are indexed when none has come for so long.
  private static let quiet = Duration.milliseconds(500)
  /// The daemon waits so long between two steps, where nobody waits for them, and after one that failed.
  private static let pause = Duration.milliseconds(20)
  private static let retryPause = Duration.seconds(60)

  private unowned let service: Service
  private var isScheduled = false
  private var isBehind = true
  private var lastRows = Duration.zero
  private var waiting: [(Result<Void, StoreError>) -> Void] = []

  init(_ service: Service) { self.service = service }

  /// Whether somebody waits for it.
  var isAwaited: Bool { !waiting.isEmpty }

  /// Rows have come.
  func noteRows() {
    (isBehind, lastRows) = (true, service.uptime)
    schedule(after: Self.quiet)
  }

  /// Has `body` called when all rows are in the index: at once where they are.
  func catchUp(_ body: @escaping (Result<Void, StoreError>) -> Void) {
    guard isBehind else { return body(.success(())) }
    waiting.append(body)
    service.schedule(after: .zero) { [unowned self] in work() }
  }

  private func schedule(after delay: Duration) {
    guard !isScheduled else { return }
    isScheduled = true
    service.schedule(after: delay) { [unowned self] in
      isScheduled = false
      let rest = lastRows + Self.quiet - service.uptime
      if rest > .zero { schedule(after: rest) } else { work() }
    }
  }

  private func work() {
    guard isBehind else { return finish(.success(())) }
    // What another event of this turn has written is committed with its batch, or not at all.
    guard !service.batch.isOpen else { return goOn() }
    do throws(StoreError) {
      isBehind = try service.repository.indexSome()
      try service.repository.commit()
      if isBehind { goOn() } else { finish(.success(())) }
    } catch {
      service.repository.rollback()
      isBehind = true
      service.log.error("rows are not in the index of words yet: \(error)")
      finish(.failure(error))
      schedule(after: Self.retryPause)
    }
  }

  private func goOn() {
    if waiting.isEmpty { return schedule(after: Self.pause) }
    service.schedule(after: .zero) { [unowned self] in work() }
  }

  private func finish(_ result: Result<Void, StoreError>) {
    let bodies = waiting
    waiting = []
    for body in bodies { body(result) }
  }
}
