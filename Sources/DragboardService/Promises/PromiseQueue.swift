import DBus
import DragboardStore

/// The queue of promise loads.
///
/// A load in progress occupies a slot. The number of slots is limited, because each load needs a
/// pipe.
///
/// The connections that promised representations take turns. The first load of a sandbox, or of a
/// connection without a sandbox, starts even if all slots are in use. If loads wait because all
/// slots are in use, the slowest loads are cancelled. A load is slow if it received less than 64
/// KiB within the load timeout.
final class PromiseQueue {
  private static let cost = Cost(calls: 1)
  /// A load that receives fewer bytes within the load timeout is slow.
  private static let minBytes = 64 << 10
  /// The number of checks for slow loads within the load timeout.
  private static let looksPerTimeout = 4

  /// A running load, and the number of bytes that it had received at the time `since`.
  private struct Running {
    let load: PromiseLoad
    let holder: Quota.Holder
    var since: Duration
    var received = 0
    /// The number of bytes received in the latest complete period of the load timeout; nil before
    /// the end of the first period.
    var delivered: Int?
  }

  let connection: Connection
  let peers: PeerWatch
  let scheduler: Scheduler
  let limits: Limits
  let contents: ContentDirectory
  private let admission: Admission
  private var waiting = RoundRobin<PromiseLoad>()
  private var running: [ObjectIdentifier: Running] = [:]
  private let slots = Quota(
    "loads of promises", perConnection: Quota.Limit(calls: 16), total: Quota.Limit(calls: 256),
    reservesFirst: true, advice: "wait for the other loads")
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

  /// Starts a load in a later iteration of the loop, when a slot is free.
  ///
  /// By then the signals of the drop have been sent.
  func enqueue(_ load: PromiseLoad) {
    waiting.append(load, of: load.peer)
    startSoon()
  }

  private func startSoon() {
    if !waiting.isEmpty { nextStart.schedule(after: .zero) }
  }

  private func startSome(in step: Step) {
    while let load = waiting.take(where: { canStart($1, of: $0) }) {
      if !load.isOver { start(load, in: step) }
    }
    lookLater()
  }

  /// Returns whether a slot is free for a load.
  ///
  /// A cancelled load needs no slot.
  private func canStart(_ load: PromiseLoad, of peer: String) -> Bool {
    load.isOver || slots.hasRoom(for: Self.cost, of: admission.holder(of: peer))
  }

  private func start(_ load: PromiseLoad, in step: Step) {
    let holder = admission.holder(of: load.peer)
    // It cannot fail, because `canStart` has found a free slot.
    try? slots.charge(Self.cost, to: holder)
    running[ObjectIdentifier(load)] = Running(
      load: load, holder: holder, since: scheduler.uptime)
    load.start(in: step)
  }

  /// Releases the slot of a load that has ended, if it has one.
  func release(_ load: PromiseLoad) {
    guard let running = running.removeValue(forKey: ObjectIdentifier(load)) else { return }
    slots.release(Self.cost, from: running.holder)
    startSoon()
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

  /// Cancels slow loads, the slowest first, up to the number of waiting loads.
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
