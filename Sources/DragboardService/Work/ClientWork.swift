import DBus

/// The work that calls of clients wait for: one client's in order, one piece at a time.
///
/// It is bounded: bytes and descriptors wait with it. A file that hangs holds up its client until the
/// load timeout, and nobody else.
final class ClientWork {
  private struct Load {
    var jobs = 0
    var bytes = 0
  }

  /// The files of one client that are of one kind.
  private struct Files: Hashable {
    let client: String
    let kind: WorkKind
  }

  /// How much may wait of one client, and of all together.
  private static let maxJobsOfOne = 64
  private static let maxJobs = 512
  private static let maxBytesOfOne = 256 << 20
  private static let maxBytes = 1 << 30
  /// How many of all jobs may read files: the others always find room.
  private static let maxFiles = 128
  /// How many threads the files of one client, of each kind, may hold beyond the load timeout.
  private static let maxHungOfOne = 2

  private unowned let service: Service
  private var clients: [String: Load] = [:]
  private var total = Load()
  private var files = 0
  /// The work of each client that waits for its earlier work.
  private var queues: [String: [() -> Void]] = [:]
  /// The number of threads that clients' files hold beyond the timeout.
  private var hung: [Files: Int] = [:]

  init(_ service: Service) { self.service = service }

  /// Whether a client has something on its way: what it asks next comes after that.
  func isBusy(_ client: String) -> Bool { !clients.isEmpty && clients[client] != nil }

  /// Whether no client has anything on its way.
  var isAtRest: Bool { clients.isEmpty }

  /// Does `work` off the loop, and then has `then` called as an event of its own with what came of it.
  ///
  /// - Parameters:
  ///   - client: whose call it is.
  ///   - bytes: how many bytes wait in memory with it.
  ///   - work: what is done on another thread.
  ///   - then: gets what came of it, on the loop.
  /// - Throws: LimitsExceeded where too much waits already.
  func run<Outcome: Sendable>(
    for client: String, bytes: Int = 0, _ work: @escaping @Sendable () -> Outcome,
    then: @escaping (Outcome) -> Void
  ) throws(DBusError) {
    try checkRoom(for: client, bytes)
    count(client, jobs: 1, bytes: bytes)
    enqueue(client) { [self] in
      service.work(inLane: client, work) { [self] outcome in
        conclude(client, bytes: bytes)
        then(outcome)
      }
    }
  }

  /// Likewise for work that may read a client's file.
  ///
  /// If nothing comes of the file for the load timeout, the call is answered, and the client's next
  /// work begins. The thread that reads the file is in use until the system ends the read.
  ///
  /// - Parameters:
  ///   - client: whose call it is.
  ///   - bytes: how many bytes wait in memory with it.
  ///   - kind: where the file is; storage where nothing of a client's can hang.
  ///   - work: what is done on another thread; it notes how far it is.
  ///   - then: gets what came of it, on the loop; IOError if the file hangs.
  /// - Throws: LimitsExceeded where too much waits already.
  func read<Output: Sendable>(
    for client: String, bytes: Int = 0, kind: WorkKind,
    _ work: @escaping @Sendable (FileReading) throws(DBusError) -> Output,
    then: @escaping (Result<Output, DBusError>) -> Void
  ) throws(DBusError) {
    guard kind != .storage else {
      return try run(for: client, bytes: bytes) {
        Result { () throws(DBusError) in try work(FileReading()) }
      } then: {
        then($0)
      }
    }
    try checkRoom(for: client, bytes)
    guard files < Self.maxFiles else {
      throw DBusError(
        .limitsExceeded,
        "fd: \(files) files of clients wait to be read (at most \(Self.maxFiles); try again later)")
    }
    count(client, jobs: 1, bytes: bytes)
    files += 1
    enqueue(client) { [self] in
      start(client, kind, work) { [self] result in
        files -= 1
        conclude(client, bytes: bytes)
        then(result)
      }
    }
  }

  private func start<Output: Sendable>(
    _ client: String, _ kind: WorkKind,
    _ work: @escaping @Sendable (FileReading) throws(DBusError) -> Output,
    then: @escaping (Result<Output, DBusError>) -> Void
  ) {
    let own = Files(client: client, kind: kind)
    guard hung[own] ?? 0 < Self.maxHungOfOne else {
      service.schedule(after: .zero) { then(.failure(.filesHang(Self.maxHungOfOne))) }
      return
    }
    let reading = FileReading()
    var watch: SilenceWatch?
    let job = service.work(kind: kind) {
      Result { () throws(DBusError) in try work(reading) }
    } then: { [self] result in
      guard let ended = watch else { return countHung(own, -1) }
      ended.stop()
      watch = nil
      then(result)
    }
    watch = SilenceWatch(reading, service) { [self] in
      watch = nil
      reading.cancel()
      if service.cancel(job) {
        then(.failure(.noThread(kind.maxThreads)))
      } else {
        countHung(own, 1)
        then(.failure(.silentFile(service.limits.loadTimeout)))
      }
    }
  }

  private func countHung(_ files: Files, _ change: Int) {
    let count = (hung[files] ?? 0) + change
    hung[files] = count > 0 ? count : nil
  }

  // MARK: In order

  /// Calls `start` when the client's earlier work has ended.
  private func enqueue(_ client: String, _ start: @escaping () -> Void) {
    guard clients[client]?.jobs ?? 0 > 1 else { return start() }
    queues[client, default: []].append(start)
  }

  /// Counts out a client's work and begins with its next.
  private func conclude(_ client: String, bytes: Int) {
    count(client, jobs: -1, bytes: -bytes)
    guard let next = queues[client]?.first else { return }
    queues[client]?.removeFirst()
    if queues[client]?.isEmpty == true { queues[client] = nil }
    next()
  }

  // MARK: Room

  private func checkRoom(for client: String, _ bytes: Int) throws(DBusError) {
    let own = clients[client] ?? Load()
    guard own.jobs < Self.maxJobsOfOne, total.jobs < Self.maxJobs,
      own.jobs == 0 || own.bytes + bytes <= Self.maxBytesOfOne,
      total.jobs == 0 || total.bytes + bytes <= Self.maxBytes
    else {
      throw DBusError(
        .limitsExceeded,
        "\(Self.maxJobsOfOne) calls or \(Self.maxBytesOfOne) bytes of one client can wait for the disk; wait for the replies"
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

extension DBusError {
  fileprivate static func silentFile(_ timeout: Duration) -> DBusError {
    DBusError(.ioError, "fd: nothing could be read for \(timeout) (load-timeout)")
  }

  fileprivate static func filesHang(_ count: Int) -> DBusError {
    DBusError(
      .ioError, "fd: \(count) other files of the caller hang (try again when these can be read)")
  }

  fileprivate static func noThread(_ count: Int) -> DBusError {
    DBusError(
      .limitsExceeded,
      "fd: \(count) files of clients are being read or hang (try again later)")
  }
}
