import DBus
import DragboardStore

/// Starts the loads of promises, so many at once: each takes a pipe.
final class PromiseQueue {
  /// How many loads one connection is asked for at once, and all of them together.
  private static let mostOfOnePeer = 16
  private static let most = 256

  private unowned let service: Service
  private var waiting: [Entry] = []
  private var running: [String: Int] = [:]
  private var count = 0
  private var isStarting = false

  private struct Entry {
    let load: PromiseLoad
    let onEnd: (Result<Payload, DBusError>) -> Void
  }

  init(_ service: Service) { self.service = service }

  /// Has a load start as soon as there is room, in one of the next turns of the loop: what tells of the drop goes out before.
  ///
  /// - Parameters:
  ///   - load: what has not started.
  ///   - onEnd: gets what became of it, once; nothing where it is cancelled.
  func enqueue(_ load: PromiseLoad, onEnd: @escaping (Result<Payload, DBusError>) -> Void) {
    waiting.append(Entry(load: load, onEnd: onEnd))
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
    let all = waiting
    waiting = []
    var rest: [Entry] = []
    for entry in all where !entry.load.isOver {
      if hasRoom(for: entry.load.peer) { start(entry) } else { rest.append(entry) }
    }
    waiting = rest + waiting
  }

  private func hasRoom(for peer: String) -> Bool {
    count < Self.most && running[peer, default: 0] < Self.mostOfOnePeer
  }

  private func start(_ entry: Entry) {
    let peer = entry.load.peer
    count += 1
    running[peer, default: 0] += 1
    entry.load.start { [unowned self] result in
      count -= 1
      running[peer] = running[peer].flatMap { $0 > 1 ? $0 - 1 : nil }
      startSoon()
      if let result { entry.onEnd(result) }
    }
  }
}
