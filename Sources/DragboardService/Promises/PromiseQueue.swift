import DBus

/// Starts the loads of promises, a limited number at once: each takes a pipe.
final class PromiseQueue {
  /// The maximum number of loads of one connection at once, and of all connections.
  private static let maxOfOnePeer = 16
  private static let max = 256

  typealias Completion = (Step, Result<Bytes, DBusError>) -> Void

  private struct Entry {
    let load: PromiseLoad
    let onEnd: Completion
  }

  let connection: Connection
  let peers: PeerWatch
  let scheduler: Scheduler
  let limits: Limits
  let makeSpool: SpoolMaker
  private var waiting: [Entry] = []
  private var running: [String: Int] = [:]
  private var count = 0
  private var isStarting = false

  init(
    _ connection: Connection, _ peers: PeerWatch, _ scheduler: Scheduler, limits: Limits,
    makeSpool: @escaping SpoolMaker
  ) {
    (self.connection, self.peers, self.scheduler) = (connection, peers, scheduler)
    (self.limits, self.makeSpool) = (limits, makeSpool)
  }

  /// Starts a load as soon as there is room, in a later iteration: signals of the drop go out first.
  ///
  /// - Parameters:
  ///   - load: a load that has not started.
  ///   - onEnd: gets the outcome once; it is not called if the load is cancelled.
  func enqueue(_ load: PromiseLoad, onEnd: @escaping Completion) {
    waiting.append(Entry(load: load, onEnd: onEnd))
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
    let all = waiting
    waiting = []
    var rest: [Entry] = []
    for entry in all where !entry.load.isOver {
      if hasRoom(for: entry.load.peer) { start(entry, in: step) } else { rest.append(entry) }
    }
    waiting = rest + waiting
  }

  private func hasRoom(for peer: String) -> Bool {
    count < Self.max && running[peer, default: 0] < Self.maxOfOnePeer
  }

  private func start(_ entry: Entry, in step: Step) {
    let peer = entry.load.peer
    count += 1
    running[peer, default: 0] += 1
    entry.load.start(in: step) { [weak self] step, result in
      self?.release(peer)
      if let result { entry.onEnd(step, result) }
    }
  }

  private func release(_ peer: String) {
    count -= 1
    running[peer] = running[peer].flatMap { $0 > 1 ? $0 - 1 : nil }
    startSoon()
  }
}
