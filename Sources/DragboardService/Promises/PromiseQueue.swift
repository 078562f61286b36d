import DBus

/// Starts the loads of promises, a limited number at once: each takes a pipe.
///
/// The connections that promised take turns.
final class PromiseQueue {
  private static let cost = Cost(calls: 1)

  private unowned let service: Service
  private var waiting = RoundRobin<Entry>()
  private let loads = Quota(
    "loads of promises", perConnection: Quota.Limit(calls: 16), total: Quota.Limit(calls: 256),
    advice: "wait for the others")
  private var isStarting = false

  private struct Entry {
    let load: PromiseLoad
    let onEnd: (Result<Bytes, DBusError>) -> Void
  }

  init(_ service: Service) { self.service = service }

  /// Starts a load when there is room, in a later iteration of the loop: signals of the drop go out
  /// before.
  ///
  /// - Parameters:
  ///   - load: a load that has not started.
  ///   - onEnd: gets the outcome, once; it is not called if the load is cancelled.
  func enqueue(_ load: PromiseLoad, onEnd: @escaping (Result<Bytes, DBusError>) -> Void) {
    waiting.append(Entry(load: load, onEnd: onEnd), of: load.peer)
    startSoon()
  }

  private func startSoon() {
    guard !isStarting, !waiting.isEmpty else { return }
    isStarting = true
    service.schedule(after: .zero) { [unowned self] in
      isStarting = false
      startSome()
    }
  }

  private func startSome() {
    while let entry = waiting.take(where: { canStart($1.load, of: $0) }) {
      if !entry.load.isOver { start(entry) }
    }
  }

  /// Whether there is room for a load; one that was cancelled takes none.
  private func canStart(_ load: PromiseLoad, of peer: String) -> Bool {
    load.isOver || loads.hasRoom(for: Self.cost, of: service.admission.holder(of: peer))
  }

  private func start(_ entry: Entry) {
    let holder = service.admission.holder(of: entry.load.peer)
    // There is room: it was just checked.
    try? loads.charge(Self.cost, to: holder)
    entry.load.start { [unowned self] result in
      loads.release(Self.cost, from: holder)
      startSoon()
      if let result { entry.onEnd(result) }
    }
  }
}
