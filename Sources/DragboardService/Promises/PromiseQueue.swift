import DBus
import DragboardStore

/// The queue of promise loads, with a maximum number in progress: each takes a pipe.
///
/// The connections that promised take turns. The first load of a sandbox, or of a connection without
/// one, starts although all slots are in use. If loads wait because all slots are in use, the slowest
/// loads are cancelled: those that gave less than 64 KiB within the load timeout.
final class PromiseQueue {
  typealias Completion = (Step, Result<Payload, DBusError>) -> Void

  private static let cost = Cost(calls: 1)
  /// A load that gives fewer bytes within the load timeout is slow.
  private static let minBytes = 64 << 10
  /// The number of looks at running loads within the load timeout.
  private static let looksPerTimeout = 4

  private struct Entry {
    let load: PromiseLoad
    let onEnd: Completion
  }

  /// A running load, and how much it had given at some time.
  private struct Running {
    let load: PromiseLoad
    var since: Duration
    var received = 0
    /// The bytes of the latest period of the load timeout; nil before its end.
    var delivered: Int?
  }

  let connection: Connection
  let peers: PeerWatch
  let scheduler: Scheduler
  let limits: Limits
  let contents: ContentDirectory
  private let admission: Admission
  private var waiting = RoundRobin<Entry>()
  private var running: [ObjectIdentifier: Running] = [:]
  private let slots = Quota(
    "loads of promises", perConnection: Quota.Limit(calls: 16), total: Quota.Limit(calls: 256),
    reservesFirst: true, advice: "wait for the others")
  private lazy var nextStart = DelayedStep(scheduler) { [weak self] in self?.startSome(in: $0) }
  private lazy var nextLook = DelayedStep(scheduler) { [weak self] _ in self?.look() }

  init(
    _ connection: Connection, _ admission: Admission, _ peers: PeerWatch, _ scheduler: Scheduler,
    limits: Limits, contents: ContentDirectory
  ) {
    (self.connection, self.admission) = (connection, admission)
    (self.peers, self.scheduler) = (peers, scheduler)
    (self.limits, self.contents) = (limits, contents)
  }

  /// Starts a load when there is room, in a later iteration of the loop, after the drop's signals
  /// have been sent.
  ///
  /// `onEnd` gets the outcome, once; it is not called if the load is cancelled.
  func enqueue(_ load: PromiseLoad, onEnd: @escaping Completion) {
    waiting.append(Entry(load: load, onEnd: onEnd), of: load.peer)
    startSoon()
  }

  private func startSoon() {
    if !waiting.isEmpty { nextStart.schedule(after: .zero) }
  }

  private func startSome(in step: Step) {
    while let entry = waiting.take(where: { canStart($1.load, of: $0) }) {
      if !entry.load.isOver { start(entry, in: step) }
    }
    lookLater()
  }

  /// Whether there is room for a load; a cancelled load needs no room.
  private func canStart(_ load: PromiseLoad, of peer: String) -> Bool {
    load.isOver || slots.hasRoom(for: Self.cost, of: admission.holder(of: peer))
  }

  private func start(_ entry: Entry, in step: Step) {
    let (load, holder) = (entry.load, admission.holder(of: entry.load.peer))
    // There is room: it was just checked.
    try? slots.charge(Self.cost, to: holder)
    running[ObjectIdentifier(load)] = Running(load: load, since: scheduler.uptime)
    load.start(in: step) { [weak self] step, result in
      self?.running[ObjectIdentifier(load)] = nil
      self?.slots.release(Self.cost, from: holder)
      self?.startSoon()
      if let result { entry.onEnd(step, result) }
    }
  }

  // MARK: Slow loads

  private func lookLater() {
    guard !waiting.isEmpty, slots.isUsedUp(for: Self.cost) else { return }
    nextLook.schedule(after: limits.loadTimeout / Self.looksPerTimeout)
  }

  private func look() {
    cancelSlow()
    lookLater()
  }

  /// Cancels as many slow loads as others wait, the slowest first.
  private func cancelSlow() {
    guard !waiting.isEmpty, slots.isUsedUp(for: Self.cost) else { return }
    for key in running.keys { measure(&running[key]) }
    let slow = running.values.filter { ($0.delivered ?? .max) < Self.minBytes }
      .sorted { ($0.delivered ?? .max) < ($1.delivered ?? .max) }
    for slowest in slow.prefix(waiting.count) {
      scheduler.step { slowest.load.cancelAsSlow(in: $0) }
    }
  }

  private func measure(_ running: inout Running?) {
    guard let load = running, load.since + limits.loadTimeout <= scheduler.uptime else { return }
    running?.delivered = load.load.received - load.received
    running?.since = scheduler.uptime
    running?.received = load.load.received
  }
}
