import DBus

/// Reads large contents into memory for replies, no more of them at once than the bus takes away.
///
/// What has been read is in memory until it has gone out. A client that asks for much at once waits for it; those that ask for large
/// contents get them in turns, and nobody else waits.
final class LargeReads {
  /// So many bytes are read, or wait to go out; a larger content comes by itself, when almost nothing waits.
  private static let most = 32 << 20
  private static let almostNothing = 1 << 20

  private struct Job {
    let byteCount: Int
    let start: () -> Void
  }

  private unowned let service: Service
  private var waiting: [String: [Job]] = [:]
  /// The clients that wait, the next one first.
  private var turns: [String] = []
  /// How many bytes are being read, for whom: those will lie unread, too.
  private var reading: [String: Int] = [:]

  init(_ service: Service) { self.service = service }

  /// Does `work`, which reads so many bytes, off the loop when there is room for them, and then has `then` called as an event of its own.
  func run<Outcome: Sendable>(
    for client: String, bytes byteCount: Int, _ work: @escaping @Sendable () -> Outcome,
    then: @escaping (Outcome) -> Void
  ) {
    if waiting[client] == nil { turns.append(client) }
    waiting[client, default: []].append(
      Job(byteCount: byteCount) { [self] in
        reading[client, default: 0] += byteCount
        service.work(work) { [self] outcome in
          let rest = (reading[client] ?? 0) - byteCount
          reading[client] = rest > 0 ? rest : nil
          then(outcome)
        }
      })
    startSome()
  }

  /// Starts what there is room for: to be called when something has gone out, or been read.
  func startSome() {
    while let place = turns.firstIndex(where: {
      !service.callers.hasTooMuchToRead($0, with: reading[$0] ?? 0)
    }),
      let job = waiting[turns[place]]?.first, hasRoom(for: job.byteCount)
    {
      let client = turns.remove(at: place)
      waiting[client]?.removeFirst()
      if waiting[client]?.isEmpty == true { waiting[client] = nil } else { turns.append(client) }
      job.start()
    }
  }

  private func hasRoom(for byteCount: Int) -> Bool {
    let taken = reading.values.reduce(0, +) + service.connection.backlog
    return taken + byteCount <= Self.most || taken <= Self.almostNothing
  }
}
