import DBus

/// The work on the disk for which calls of clients wait.
///
/// The work of one client is performed in order, one job at a time. It starts after the commit of
/// its call. It is limited, because bytes and descriptors wait with it. A file that hangs delays
/// only its client, until the load timeout.
final class ClientWork {
  /// The files of one client of one kind.
  private struct Files: Hashable {
    let client: String
    let kind: WorkKind
  }

  private final class Job {
    let client: String
    /// Releases the resources charged for the job.
    let release: () -> Void
    /// Starts the job; nil until the commit of its call, and from its start on.
    var start: (() -> Void)?

    init(_ client: String, release: @escaping () -> Void) {
      (self.client, self.release) = (client, release)
    }
  }

  /// The maximum number of threads that the files of one client, of each kind, occupy beyond the
  /// load timeout.
  private static let maxHungOfOne = 2

  private let scheduler: Scheduler
  private let loadTimeout: Duration
  private let work = Quota(
    "work on the disk", perConnection: Quota.Limit(calls: 64, bytes: 256 << 20),
    total: Quota.Limit(calls: 512, bytes: 1 << 30), advice: "wait for the replies")
  /// The quota for reading clients' files, so that other work always finds room.
  private let files = Quota(
    "fd: files to be read", total: Quota.Limit(calls: 128), advice: "try again later")
  /// The jobs of each client, in order; the first one may be running.
  private var queues: [String: [Job]] = [:]
  /// The number of threads that clients' files occupy beyond the timeout.
  private var hung: [Files: Int] = [:]

  init(_ scheduler: Scheduler, loadTimeout: Duration) {
    (self.scheduler, self.loadTimeout) = (scheduler, loadTimeout)
  }

  /// Returns whether work of a client is in progress: its next call must be performed after it.
  func isBusy(_ client: String) -> Bool { !queues.isEmpty && queues[client] != nil }

  var isAtRest: Bool { queues.isEmpty }

  /// Performs work on another thread, after the commit and after the client's earlier work.
  ///
  /// - Parameters:
  ///   - command: the call that waits for the work.
  ///   - bytes: the number of bytes in memory that wait with it.
  ///   - work: runs on another thread.
  ///   - then: gets the outcome, in a step of its own.
  ///   - orElse: is called instead if the step of the call is rolled back.
  /// - Throws: LimitsExceeded if too much work waits.
  func run<Outcome: Sendable>(
    for command: Command, bytes: Int = 0, _ work: @escaping @Sendable () -> Outcome,
    then: @escaping (Step, Outcome) -> Void, orElse: @escaping () -> Void
  ) throws(DBusError) {
    let start = { [scheduler] (end: @escaping () -> Void) in
      _ = scheduler.work(inLane: command.sender, work) { step, outcome in
        end()
        then(step, outcome)
      }
    }
    try perform(for: command, bytes: bytes, start, orElse: orElse)
  }

  /// Begins work of several parts, after the commit and after the client's earlier work.
  ///
  /// `start` gets a function that ends the work; the other parameters are those of `run`.
  ///
  /// - Throws: LimitsExceeded if too much work waits.
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

  /// Does work that may read a file of the client.
  ///
  /// If nothing is read for the load timeout, the call is answered, and the client's next work
  /// begins. The thread that reads the file stays occupied until the system ends the read.
  ///
  /// `kind` is the location of the file; storage if the work does not read a file of the client.
  /// `work` records each piece that it reads. `then` gets IOError if the file hangs. The other
  /// parameters are those of `run`.
  ///
  /// - Throws: LimitsExceeded if too much work waits.
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
        end()
        then(step, result)
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
    // The function retains the job.
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
