import DBus

/// The source of steps that no message starts: after a time, or after work on another thread.
struct Scheduler {
  /// The loop on which all functions are called.
  let loop: EventLoop
  private let transactions: Transactions
  private let pool: WorkerPool

  init(_ loop: EventLoop, _ transactions: Transactions, _ pool: WorkerPool) {
    (self.loop, self.transactions, self.pool) = (loop, transactions, pool)
  }

  /// The time for which the loop has run; timers and timeouts use it.
  var uptime: Duration { loop.uptime }

  /// Runs `body` now, as a step of its own.
  func step(_ body: (Step) -> Void) { transactions.step(body) }

  /// Calls `body` in a step of its own after `delay`.
  @discardableResult
  func after(_ delay: Duration, _ body: @escaping (Step) -> Void) -> Timer {
    loop.schedule(after: delay) { [transactions] in transactions.step(body) }
  }

  /// Stops a timer, unless it has fired.
  func cancel(_ timer: Timer?) {
    if let timer { loop.cancel(timer) }
  }

  /// Performs `work` on another thread, then calls `then` in a step of its own.
  ///
  /// - Parameters:
  ///   - lane: work in the same lane is performed in order, one job at a time.
  ///   - kind: the resource for which the work may have to wait.
  ///   - work: runs on another thread.
  ///   - then: gets the outcome, on the loop.
  /// - Returns: the job, which can be cancelled until it begins.
  @discardableResult
  func work<Outcome: Sendable>(
    inLane lane: String? = nil, kind: WorkKind = .storage,
    _ work: @escaping @Sendable () -> Outcome, then: @escaping (Step, Outcome) -> Void
  ) -> WorkerPool.Job {
    // The service waits for its own files. A file of a client may hang: only its caller waits.
    let isAwaited = kind == .storage
    if isAwaited { transactions.pendingSteps += 1 }
    return pool.run(inLane: lane, kind: kind, work) { [transactions] outcome in
      if isAwaited { transactions.pendingSteps -= 1 }
      transactions.step { then($0, outcome) }
    }
  }

  /// Cancels a job.
  ///
  /// - Returns: false if it has begun.
  func cancel(_ job: WorkerPool.Job) -> Bool { pool.cancel(job) }

  /// Calls `body` in a step of its own, again and again until it returns false, with calls of
  /// clients in between.
  func repeatInSteps(_ body: @escaping (Step) -> Bool) {
    transactions.pendingSteps += 1
    after(.zero) { [self] step in
      transactions.pendingSteps -= 1
      if body(step) { repeatInSteps(body) }
    }
  }
}
