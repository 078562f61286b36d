import DBus

/// The disk work that calls of clients wait for.
///
/// The work of one client is performed in order, one job at a time. A job starts after the commit
/// of its call. The waiting jobs are limited, because each retains bytes and descriptors. A file
/// that hangs delays only the client that sent it, and only until the load timeout.
final class ClientWork {
  /// The key of the files of one kind from one client.
  private struct Files: Hashable {
    let client: String
    let kind: WorkKind
  }

  private final class Job {
    let client: String
    /// Releases the resources charged for the job.
    let release: () -> Void
    /// A function that starts the job; nil before the commit of the call, and after the start.
    var start: (() -> Void)?

    init(_ client: String, release: @escaping () -> Void) {
      (self.client, self.release) = (client, release)
    }
  }

  /// The maximum number of threads of one kind that one client's hanging files occupy.
  ///
  /// A thread counts after the load timeout.
  private static let maxHungOfOne = 2

  private let scheduler: Scheduler
  private let loadTimeout: Duration
  private let work = Quota(
    "work on the disk", perConnection: Quota.Limit(calls: 64, bytes: 256 << 20),
    share: Quota.Limit(calls: 128, bytes: 64 << 20),
    total: Quota.Limit(calls: 512, bytes: 1 << 30), advice: "wait for the replies")
  /// The quota for reading clients' files.
  ///
  /// It is smaller than the quota of all work, so that reading files leaves room for other work.
  private let files = Quota(
    "fd: waiting files", total: Quota.Limit(calls: 128), advice: "try again later")
  /// The jobs of each client, in order; the first one may be running.
  private var queues: [String: [Job]] = [:]
  /// The number of threads that hanging files occupy after the load timeout.
  private var hung: [Files: Int] = [:]

  init(_ scheduler: Scheduler, loadTimeout: Duration) {
    (self.scheduler, self.loadTimeout) = (scheduler, loadTimeout)
  }

  /// Returns whether work of a client is waiting or running.
  ///
  /// If so, the client's next call must wait, too.
  func isBusy(_ client: String) -> Bool { !queues.isEmpty && queues[client] != nil }

  var isAtRest: Bool { queues.isEmpty }

  /// Performs work on another thread, after the commit of the call and after the client's earlier
  /// work.
  ///
  /// - Parameters:
  ///   - command: the call that waits for the work.
  ///   - bytes: the number of bytes in memory that the work retains.
  ///   - work: runs on another thread.
  ///   - then: receives the outcome in a separate step.
  ///   - orElse: is called instead if the step of the call is rolled back.
  /// - Throws: LimitsExceeded if too much work is waiting.
  func run<Outcome: Sendable>(
    for command: Command, bytes: Int = 0, _ work: @escaping @Sendable () -> Outcome,
    then: @escaping (Step, Outcome) -> Void, orElse: @escaping () -> Void
  ) throws(DBusError) {
    let start = { [scheduler] (end: @escaping () -> Void) in
      _ = scheduler.work(inLane: command.sender, work) { step, outcome in
        then(step, outcome)
        end()
      }
    }
    try perform(for: command, bytes: bytes, start, orElse: orElse)
  }

  /// Performs more work for a call, before the client's next work.
  ///
  /// Call it in `then` of `run` or `read`; `work` and `then` are the same as in `run`.
  func runNext<Outcome: Sendable>(
    for command: Command, _ work: @escaping @Sendable () -> Outcome,
    then: @escaping (Step, Outcome) -> Void
  ) {
    let job = Job(command.sender) {}
    job.start = { [self] in
      _ = scheduler.work(inLane: command.sender, work) { [self] step, outcome in
        then(step, outcome)
        remove(job)
      }
    }
    queues[job.client, default: []].insert(job, at: 1)
  }

  /// Begins work that has several parts, after the commit of the call and after the client's
  /// earlier work.
  ///
  /// `start` receives a function that it must call at the end of the work. The other parameters are
  /// the same as in `run`.
  ///
  /// - Throws: LimitsExceeded if too much work is waiting.
  func perform(
    for command: Command, bytes: Int, _ start: @escaping (_ end: @escaping () -> Void) -> Void,
    orElse: @escaping () -> Void
  ) throws(DBusError) {
    let (cost, holder) = (Cost(calls: 1, bytes: bytes), command.access.holder)
    try work.charge(cost, to: holder)
    let job = Job(command.sender) { [self] in work.release(cost, from: holder) }
    queues[job.client, default: []].append(job)
    command.step.afterCommit { [self] in
      job.start = { [self] in start { [self] in remove(job) } }
      startNext(of: job.client)
    } orElse: { [self] in
      remove(job)
      orElse()
    }
  }

  /// Performs work that may read a file of the client.
  ///
  /// If no bytes can be read within the load timeout, the call fails, and the client's next work
  /// begins. The thread that reads the file stays occupied until the system ends the read.
  ///
  /// `kind` depends on the location of the file. It is `storage` if the work does not read a file
  /// of the client. `work` must record each piece that it reads. `then` receives IOError if the
  /// file hangs. The other parameters are the same as in `run`.
  ///
  /// - Throws: LimitsExceeded if too much work is waiting.
  func read<Output: Sendable>(
    for command: Command, bytes: Int = 0, kind: WorkKind,
    _ work: @escaping @Sendable (FileReading) throws(DBusError) -> Output,
    then: @escaping (Step, Result<Output, DBusError>) -> Void, orElse: @escaping () -> Void
  ) throws(DBusError) {
    guard kind != .storage else {
      let read = { @Sendable in Result { () throws(DBusError) in try work(FileReading()) } }
      return try run(for: command, bytes: bytes, read, then: then, orElse: orElse)
    }
    let holder = command.access.holder
    try self.work.check(Cost(calls: 1, bytes: bytes), for: holder)
    try files.charge(Cost(calls: 1), to: holder)
    let release = { [files] in files.release(Cost(calls: 1), from: holder) }
    try perform(for: command, bytes: bytes) { [self] end in
      start(command.sender, kind, work) { step, result in
        release()
        then(step, result)
        end()
      }
    } orElse: {
      release()
      orElse()
    }
  }

  // MARK: Files

  private func start<Output: Sendable>(
    _ client: String, _ kind: WorkKind,
    _ work: @escaping @Sendable (FileReading) throws(DBusError) -> Output,
    then: @escaping (Step, Result<Output, DBusError>) -> Void
  ) {
    let own = Files(client: client, kind: kind)
    guard hung[own] ?? 0 < Self.maxHungOfOne else {
      scheduler.after(.zero) { then($0, .failure(.filesHang(Self.maxHungOfOne))) }
      return
    }
    let reading = FileReading()
    var watch: SilenceWatch?
    let job = scheduler.work(kind: kind) {
      Result { () throws(DBusError) in try work(reading) }
    } then: { [self] step, result in
      guard let ended = watch else { return countHung(own, -1) }
      ended.stop()
      watch = nil
      then(step, result)
    }
    watch = SilenceWatch(reading, scheduler, timeout: loadTimeout) { [self] step in
      watch = nil
      reading.cancel()
      if scheduler.cancel(job) {
        then(step, .failure(.noThread(kind.maxThreads)))
      } else {
        countHung(own, 1)
        then(step, .failure(.silentFile(loadTimeout)))
      }
    }
  }

  private func countHung(_ files: Files, _ change: Int) {
    let count = (hung[files] ?? 0) + change
    hung[files] = count > 0 ? count : nil
  }

  // MARK: Queues

  private func startNext(of client: String) {
    guard let job = queues[client]?.first, let start = job.start else { return }
    // Without this, the job and the function would retain each other.
    job.start = nil
    start()
  }

  private func remove(_ job: Job) {
    queues[job.client]?.removeAll { $0 === job }
    if queues[job.client]?.isEmpty == true { queues[job.client] = nil }
    job.release()
    startNext(of: job.client)
  }
}

extension DBusError {
  fileprivate static func silentFile(_ timeout: Duration) -> DBusError {
    DBusError(.ioError, "fd: no bytes could be read for \(timeout) (load-timeout)")
  }

  fileprivate static func filesHang(_ count: Int) -> DBusError {
    DBusError(
      .ioError, "fd: \(count) other files of the caller cannot be read at present (try again later)"
    )
  }

  fileprivate static func noThread(_ count: Int) -> DBusError {
    DBusError(
      .limitsExceeded,
      "fd: \(count) files of clients are being read, which is the maximum (try again later)")
  }
}
