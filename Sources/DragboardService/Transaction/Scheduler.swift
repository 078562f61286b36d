import DBus

/// The source of steps that do not start with a message, but after a delay or after work on another
/// thread.
struct Scheduler {
  /// The loop on which all functions are called.
  let loop: EventLoop
  private let transactions: Transactions
  private let pool: WorkerPool

  init(_ loop: EventLoop, _ transactions: Transactions, _ pool: WorkerPool) {
    (self.loop, self.transactions, self.pool) = (loop, transactions, pool)
  }

  /// The time for which the loop has run, the basis of timers and timeouts.
  var uptime: Duration { loop.uptime }

  /// Runs `body` now as a separate step.
  func step(_ body: (Step) -> Void) { transactions.step(body) }

  /// Calls `body` in a separate step after `delay`.
  @discardableResult
  func after(_ delay: Duration, _ body: @escaping (Step) -> Void) -> Timer {
    loop.schedule(after: delay) { [transactions] in transactions.step(body) }
  }

  /// Stops a timer, unless it has fired.
  func cancel(_ timer: Timer?) {
    if let timer { loop.cancel(timer) }
  }

  /// Performs `work` on another thread, then calls `then` on the loop in a separate step.
  ///
  /// - Parameters:
  ///   - lane: the name of a sequence of jobs that run in order, one at a time.
  ///   - kind: the resource for which the work may have to wait.
  ///   - work: runs on another thread.
  ///   - then: receives the outcome of `work`.
  /// - Returns: the job, which can be cancelled until it begins.
  @discardableResult
  func work<Outcome: Sendable>(
    inLane lane: String? = nil, kind: WorkKind = .storage,
    _ work: @escaping @Sendable () -> Outcome, then: @escaping (Step, Outcome) -> Void
  ) -> WorkerPool.Job {
    // Before the service leaves the bus, it waits for work on its own files. It does not wait for
    // files of clients, because these may hang.
    let isAwaited = kind == .storage
    if isAwaited { transactions.pendingSteps += 1 }
    return pool.run(inLane: lane, kind: kind, work) { [transactions] outcome in
      if isAwaited { transactions.pendingSteps -= 1 }
      transactions.step { then($0, outcome) }
    }
  }

  /// Cancels a job.
  ///
  /// - Returns: false if the job has begun.
  func cancel(_ job: WorkerPool.Job) -> Bool { pool.cancel(job) }

  /// Calls `body` repeatedly, each time in a separate step, until it returns false.
  ///
  /// Calls of clients are handled between the steps.
  func repeatInSteps(_ body: @escaping (Step) -> Bool) {
    transactions.pendingSteps += 1
    after(.zero) { [self] step in
      transactions.pendingSteps -= 1
      if body(step) { repeatInSteps(body) }
    }
  }
}
