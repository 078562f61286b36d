import DBus

/// What the calls of clients have on its way to the disk, one client's one after the other, in the order of its calls.
///
/// It is bounded: bytes and descriptors wait with it.
final class ClientWork {
  private struct Load {
    var jobs = 0
    var bytes = 0
  }

  /// How much may wait of one client, and of all together.
  private static let mostJobsOfOne = 64
  private static let mostJobs = 512
  private static let mostBytesOfOne = 256 << 20
  private static let mostBytes = 1 << 30

  private unowned let service: Service
  private var clients: [String: Load] = [:]
  private var total = Load()

  init(_ service: Service) { self.service = service }

  /// Whether a client has something on its way: what it asks next comes after that.
  func isBusy(_ client: String) -> Bool { !clients.isEmpty && clients[client] != nil }

  /// Does `work` off the loop, and then has `then` called as an event of its own with what came of it.
  ///
  /// - Parameters:
  ///   - client: whose call it is.
  ///   - bytes: how many bytes wait in memory with it.
  ///   - mayHang: whether it reads a file of the client's.
  ///   - work: what is done on another thread.
  ///   - then: gets what came of it, on the loop.
  /// - Throws: LimitsExceeded where too much waits already.
  func run<Outcome: Sendable>(
    for client: String, bytes: Int = 0, mayHang: Bool = false,
    _ work: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void
  ) throws(DBusError) {
    try checkRoom(for: client, bytes)
    count(client, jobs: 1, bytes: bytes)
    service.work(inLane: client, mayHang: mayHang, work) { [self] outcome in
      count(client, jobs: -1, bytes: -bytes)
      then(outcome)
    }
  }

  private func checkRoom(for client: String, _ bytes: Int) throws(DBusError) {
    let own = clients[client] ?? Load()
    guard own.jobs < Self.mostJobsOfOne, total.jobs < Self.mostJobs,
      own.jobs == 0 || own.bytes + bytes <= Self.mostBytesOfOne,
      total.jobs == 0 || total.bytes + bytes <= Self.mostBytes
    else {
      throw DBusError(
        .limitsExceeded,
        "\(Self.mostJobsOfOne) calls or \(Self.mostBytesOfOne) bytes of one client can wait for the disk; wait for the replies"
      )
    }
  }

  private func count(_ client: String, jobs: Int, bytes: Int) {
    var own = clients[client] ?? Load()
    own.jobs += jobs
    own.bytes += bytes
    clients[client] = own.jobs > 0 ? own : nil
    total.jobs += jobs
    total.bytes += bytes
  }
}
