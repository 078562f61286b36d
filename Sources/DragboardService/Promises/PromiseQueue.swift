import DBus
import DragboardStore

/// The queue of promise loads, with a maximum number in progress: each takes a pipe.
///
/// The connections that promised take turns.
final class PromiseQueue {
  typealias Completion = (Step, Result<Payload, DBusError>) -> Void

  private static let cost = Cost(calls: 1)

  private struct Entry {
    let load: PromiseLoad
    let onEnd: Completion
  }

  let connection: Connection
  let peers: PeerWatch
  let scheduler: Scheduler
  let limits: Limits
  let contents: ContentFolder
  private let admission: Admission
  private var waiting = RoundRobin<Entry>()
  private let loads = Quota(
    "loads of promises", perConnection: Quota.Limit(calls: 16), total: Quota.Limit(calls: 256),
    advice: "wait for the others")
  private var isStarting = false

  init(
    _ connection: Connection, _ admission: Admission, _ peers: PeerWatch, _ scheduler: Scheduler,
    limits: Limits, contents: ContentFolder
  ) {
    (self.connection, self.admission) = (connection, admission)
    (self.peers, self.scheduler) = (peers, scheduler)
    (self.limits, self.contents) = (limits, contents)
  }

  /// Starts a load when there is room, in a later iteration of the loop, after the drop's signals
  /// have been sent.
  ///
  /// - Parameters:
  ///   - load: a load that has not started.
  ///   - onEnd: gets the outcome, once; it is not called if the load is cancelled.
  func enqueue(_ load: PromiseLoad, onEnd: @escaping Completion) {
    waiting.append(Entry(load: load, onEnd: onEnd), of: load.peer)
    startSoon()
  }

  private func startSoon() {
    guard !isStarting, !waiting.isEmpty else { return }
    isStarting = true
    scheduler.after(.zero) { [weak self] step in
      self?.isStarting = false
      self?.startSome(in: step)
    }
  }

  private func startSome(in step: Step) {
    while let entry = waiting.take(where: { canStart($1.load, of: $0) }) {
      if !entry.load.isOver { start(entry, in: step) }
    }
  }

  /// Whether there is room for a load; a cancelled load needs no room.
  private func canStart(_ load: PromiseLoad, of peer: String) -> Bool {
    load.isOver || loads.hasRoom(for: Self.cost, of: admission.holder(of: peer))
  }

  private func start(_ entry: Entry, in step: Step) {
    let holder = admission.holder(of: entry.load.peer)
    // There is room: it was just checked.
    try? loads.charge(Self.cost, to: holder)
    entry.load.start(in: step) { [weak self] step, result in
      self?.loads.release(Self.cost, from: holder)
      self?.startSoon()
      if let result { entry.onEnd(step, result) }
    }
  }
}
