import CLinux
public import Files
import Glibc
import Synchronization

/// An event loop, which serves descriptors, timers and the jobs of actors on one thread.
///
/// The caller of `run()` provides the thread. All functions except `enqueue`, `perform` and `stop`
/// must be called on this thread, and trap on other threads. Before the first `run()`, only the
/// thread that created the loop may call them. An actor whose executor is the loop also runs on
/// this thread, so its methods may use confined objects without switching threads.
///
/// `Sendable` is unchecked, because all state outside the mutexes is confined to the loop's thread.
public final class EventLoop: SerialExecutor, @unchecked Sendable {
  /// The input from other threads.
  private struct Inbox {
    var jobs: [UnownedJob] = []
    var bodies: [@Sendable () -> Void] = []
    var isStopping = false
    var isEmpty: Bool { jobs.isEmpty && bodies.isEmpty }
  }

  private let inbox = Mutex(Inbox())
  private let thread = Mutex<pthread_t?>(nil)
  private let poller: Poller
  private let readClock: () -> SuspendingClock.Instant
  private var clock: LoopClock
  private var timers = TimerQueue()
  /// The time until which no timer fires, because the loop first handles the input that arrived
  /// during a delay.
  private var catchUpEnd: Duration?
  private var steps: [(id: Int, body: () -> Bool)] = []
  private var lastStep = 0
  /// Whether a step has more work, so that the next iteration must not wait.
  private var isBusy = true

  /// Creates a loop that watches nothing yet.
  ///
  /// - Throws: `SystemError` if the process has no descriptor left.
  public convenience init() throws(SystemError) { try self.init(reading: { .now }) }

  /// Creates a loop with another clock, for tests.
  package init(
    reading readClock: @escaping () -> SuspendingClock.Instant
  ) throws(SystemError) {
    poller = try Poller()
    self.readClock = readClock
    clock = LoopClock(at: readClock())
  }

  // MARK: Running

  /// Runs on the calling thread until `stop()`.
  public func run() { run { false } }

  /// Runs on the calling thread until `isDone` returns true, or until `stop()`.
  ///
  /// `isDone` is called after each iteration.
  public func run(until isDone: () -> Bool) {
    let outer = thread.withLock { owner in
      defer { owner = pthread_self() }
      return owner
    }
    defer { thread.withLock { $0 = outer } }
    isBusy = true
    while !isDone(), turn() {}
  }

  /// Ends `run()` after the current iteration.
  ///
  /// Thread-safe.
  public func stop() {
    inbox.withLock { $0.isStopping = true }
    poller.wake()
  }

  /// Runs `body` on the loop's thread in one of its next iterations.
  ///
  /// Thread-safe.
  public func perform(_ body: @escaping @Sendable () -> Void) {
    inbox.withLock { $0.bodies.append(body) }
    poller.wake()
  }

  /// Forces one more iteration before the loop waits, because there may be input that no descriptor
  /// reports.
  func wakeUp() { poller.wake() }

  /// Waits for the next event, then handles it and the timers that are due.
  ///
  /// - Returns: false if the loop must stop.
  private func turn() -> Bool {
    let isSilent = wait()
    let received = inbox.withLock { inbox in
      defer { inbox = Inbox() }
      return inbox
    }
    for job in received.jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
    for body in received.bodies { body() }
    if isSilent, !isBusy, received.isEmpty { catchUpEnd = nil }
    goOff()
    isBusy = false
    for step in steps where hasStep(step.id) && step.body() { isBusy = true }
    return !received.isStopping
  }

  // MARK: Time

  /// The running time of the loop, as its timers measure it.
  ///
  /// It does not include times for which the system was suspended or the loop was delayed.
  ///
  /// It may stop as long as no timer is pending.
  public var uptime: Duration { clock.time(at: readClock()) }

  /// The lateness above which the loop counts as delayed.
  ///
  /// A delayed loop first handles the input that has arrived, for at most this time. Then timers
  /// fire.
  private static let maxLateness = Duration.milliseconds(100)

  /// Waits until something is ready or a timer is due, and handles ready descriptors.
  ///
  /// - Returns: whether nothing was ready.
  private func wait() -> Bool {
    guard !timers.isEmpty else { return poller.wait(isBusy ? 0 : -1) {} }
    advanceClock()
    let milliseconds = isBusy ? 0 : timers.milliseconds(from: clock.time)
    return poller.wait(milliseconds) { advanceClock(waiting: .milliseconds(milliseconds)) }
  }

  private func advanceClock(waiting wait: Duration = .zero) {
    let delay = clock.advance(to: readClock(), waiting: wait)
    if delay > Self.maxLateness, catchUpEnd == nil { catchUpEnd = clock.time + Self.maxLateness }
  }

  /// Fires the timers that are due, unless input must be handled first.
  private func goOff() {
    if let end = catchUpEnd {
      guard clock.time >= end else { return }
      catchUpEnd = nil
    }
    for due in timers.take(dueAt: clock.time) where timers.goOff(due.timer) { due.body() }
  }

  // MARK: Confined to the thread

  /// Calls `handler` whenever `descriptor` is ready for `interest`, level-triggered; replaces an
  /// earlier handler.
  public func watch(
    _ descriptor: Int32, for interest: Interest, _ handler: @escaping (Interest) -> Void
  ) throws(SystemError) {
    checkConfinement()
    try poller.set(descriptor, interest, handler)
  }

  /// Stops watching `descriptor`.
  public func unwatch(_ descriptor: Int32) {
    checkConfinement()
    poller.remove(descriptor)
  }

  /// Calls `body` once, when the loop has run for `delay`.
  @discardableResult
  public func schedule(after delay: Duration, _ body: @escaping () -> Void) -> Timer {
    checkConfinement()
    return timers.add(at: uptime + delay, body)
  }

  /// Cancels a timer, unless it has fired or was cancelled.
  public func cancel(_ timer: Timer) {
    checkConfinement()
    timers.remove(timer)
  }

  /// Whether a timer fires in the next iteration.
  var hasDueTimers: Bool { timers.hasDue(at: clock.time) }

  /// Calls `body` at the end of every iteration; while `body` returns true, the loop does not wait.
  func addStep(_ body: @escaping () -> Bool) -> Int {
    checkConfinement()
    lastStep += 1
    steps.append((lastStep, body))
    wakeUp()
    return lastStep
  }

  func removeStep(_ id: Int) { steps.removeAll { $0.id == id } }

  private func hasStep(_ id: Int) -> Bool { steps.contains { $0.id == id } }

  /// Traps on threads other than the loop's.
  ///
  /// A call on another thread is a programming error; no peer can cause it.
  func checkConfinement() {
    precondition(isOnThread, "used off the event loop's thread")
  }

  private var isOnThread: Bool {
    thread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? true }
  }

  // MARK: SerialExecutor

  /// Enqueues a job of an actor that runs on the loop.
  ///
  /// Thread-safe.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    inbox.withLock { $0.jobs.append(job) }
    poller.wake()
  }

  /// Traps on threads other than the loop's.
  public func checkIsolated() { checkConfinement() }
}
