import DBus

/// The order of searches: each client, and each sandbox, has one in progress at a time.
///
/// A search retains the rows that it has found until its end.
final class SearchGate {
  private let scheduler: Scheduler
  private let quota = Quota(
    "searches", perConnection: Quota.Limit(calls: 64), total: Quota.Limit(calls: 1_024),
    advice: "wait for the replies")
  private var waiting = RoundRobin<Search>()
  /// The clients with a search in progress.
  private var searching: Set<String> = []

  private struct Search {
    let client: String
    let body: (Step) -> Void
  }

  init(_ scheduler: Scheduler) { self.scheduler = scheduler }

  /// Whether a search is in progress or waits.
  var isInUse: Bool { !searching.isEmpty || !waiting.isEmpty }

  /// Charges a search to its caller until ``end(of:in:)``.
  ///
  /// - Throws: LimitsExceeded if the caller has too many searches.
  func admit(_ command: Command) throws(DBusError) {
    try quota.charge(Cost(calls: 1), to: command.access.holder)
  }

  /// Calls `body` when the search of a call may begin.
  func begin(_ command: Command, in step: Step, _ body: @escaping (Step) -> Void) {
    let client = Self.client(of: command)
    waiting.append(Search(client: client, body: body), of: client)
    startNext(in: step)
  }

  private static func client(of command: Command) -> String {
    let holder = command.access.holder
    return holder.sandbox.map { "sandbox \($0)" } ?? holder.connection
  }

  private func startNext(in step: Step) {
    while let search = waiting.take(where: { client, _ in !searching.contains(client) }) {
      searching.insert(search.client)
      search.body(step)
    }
  }

  /// Records the end of the search of a call.
  func end(of command: Command, in step: Step) {
    quota.release(Cost(calls: 1), from: command.access.holder)
    step.afterTransaction { [self] in
      searching.remove(Self.client(of: command))
      scheduler.step { startNext(in: $0) }
    }
  }
}
