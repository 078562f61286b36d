import DBus

/// The work that calls of clients wait for: one client's in order, one piece at a time.
///
/// It is bounded: bytes and descriptors wait with it. A file that hangs holds up its client until the
/// load timeout, and nobody else.
final class ClientWork {
  /// The files of one client that are of one kind.
  private struct Files: Hashable {
    let client: String
    let kind: WorkKind
  }

  /// How many threads the files of one client, of each kind, may hold beyond the load timeout.
  private static let maxHungOfOne = 2

  private unowned let service: Service
  private let work = Quota(
    "work on the disk", perConnection: Quota.Limit(calls: 64, bytes: 256 << 20),
    total: Quota.Limit(calls: 512, bytes: 1 << 30), advice: "wait for the replies")
  /// The work that reads clients' files: other work always finds room.
  private let files = Quota(
    "fd: files to be read", total: Quota.Limit(calls: 128), advice: "try again later")
  /// The work of each client that waits for its earlier work.
  private var queues: [String: [() -> Void]] = [:]
  /// The number of threads that clients' files hold beyond the timeout.
  private var hung: [Files: Int] = [:]

  init(_ service: Service) { self.service = service }

  /// Whether a client has something on its way: what it asks next comes after that.
  func isBusy(_ client: String) -> Bool { work.usage(ofConnection: client) != Cost() }

  /// Whether no client has anything on its way.
  var isAtRest: Bool { work.isUnused }

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
    let (cost, holder) = (Cost(calls: 1, bytes: bytes), service.admission.holder(of: client))
    try self.work.charge(cost, to: holder)
    enqueue(client) { [self] in
      service.work(inLane: client, work) { [self] outcome in
        conclude(cost, of: holder)
        then(outcome)
      }
    }
  }

  /// Begins work of several parts when the client's earlier work has ended.
  ///
  /// - Parameters:
  ///   - client: whose call it is.
  ///   - bytes: how many bytes wait in memory with it.
  ///   - start: begins the work; gets a function to call at its end.
  /// - Throws: LimitsExceeded where too much waits already.
  func perform(
    for client: String, bytes: Int, _ start: @escaping (_ end: @escaping () -> Void) -> Void
  ) throws(DBusError) {
    let (cost, holder) = (Cost(calls: 1, bytes: bytes), service.admission.holder(of: client))
    try work.charge(cost, to: holder)
    enqueue(client) { [self] in start { [self] in conclude(cost, of: holder) } }
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
    let (cost, holder) = (Cost(calls: 1, bytes: bytes), service.admission.holder(of: client))
    try self.work.check(cost, for: holder)
    try files.charge(Cost(calls: 1), to: holder)
    try self.work.charge(cost, to: holder)
    enqueue(client) { [self] in
      start(client, kind, work) { [self] result in
        files.release(Cost(calls: 1), from: holder)
        conclude(cost, of: holder)
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
    guard work.usage(ofConnection: client).calls > 1 else { return start() }
    queues[client, default: []].append(start)
  }

  /// Counts out a client's work and begins with its next.
  private func conclude(_ cost: Cost, of holder: Quota.Holder) {
    work.release(cost, from: holder)
    let client = holder.connection
    guard let next = queues[client]?.first else { return }
    queues[client]?.removeFirst()
    if queues[client]?.isEmpty == true { queues[client] = nil }
    next()
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
