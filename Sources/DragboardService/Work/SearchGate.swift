import DBus

/// The order of searches: one is in progress at a time, and clients take turns.
///
/// SQLite cannot copy its log to the database while a search is in progress, so the log would grow
/// if there were always one. The next search begins after the commit that copies the log.
final class SearchGate {
  private let scheduler: Scheduler
  private let quota = Quota(
    "searches", perConnection: Quota.Limit(calls: 64), total: Quota.Limit(calls: 1_024),
    advice: "wait for the replies")
  private var waiting = RoundRobin<(Step) -> Void>()
  private var isRunning = false

  init(_ scheduler: Scheduler) { self.scheduler = scheduler }

  /// Whether a search is in progress or waits.
  var isInUse: Bool { isRunning || !waiting.isEmpty }

  /// Charges a search to its caller until ``end(of:in:)``.
  ///
  /// - Throws: LimitsExceeded if the caller has too many searches.
  func admit(_ command: Command) throws(DBusError) {
    try quota.charge(Cost(calls: 1), to: command.access.holder)
  }

  /// Calls `body` when the search of a call may begin.
  func begin(_ command: Command, in step: Step, _ body: @escaping (Step) -> Void) {
    let holder = command.access.holder
    waiting.append(body, of: holder.sandbox.map { "sandbox \($0)" } ?? holder.connection)
    startNext(in: step)
  }

  private func startNext(in step: Step) {
    guard !isRunning, let body = waiting.take(where: { _, _ in true }) else { return }
    isRunning = true
    body(step)
  }

  /// Records the end of the search of a call.
  func end(of command: Command, in step: Step) {
    quota.release(Cost(calls: 1), from: command.access.holder)
    step.afterTransaction { [self] in
      isRunning = false
      scheduler.step { startNext(in: $0) }
    }
  }
}
