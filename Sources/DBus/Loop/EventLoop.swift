import CLinux
public import Files
import Glibc
import Synchronization

/// The one thread on which a connection and everything behind it runs: descriptors, timers, and the jobs of actors.
///
/// Whoever calls `run()` lends it the thread. Everything but `enqueue`, `perform` and `stop` belongs to that thread and traps
/// anywhere else; before the first `run()`, to the thread that sets the loop up. An actor whose executor is the loop runs there too,
/// so its methods may use what is confined to it, without a hop.
///
/// Unchecked, because what is not behind the mutex is confined to the loop's thread, and checked there.
public final class EventLoop: SerialExecutor, @unchecked Sendable {
  /// What came from other threads.
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
  /// While the loop catches up with what arrived when it was held up: until when no timer goes off.
  private var catchUpEnd: Duration?
  private var steps: [(id: Int, body: () -> Bool)] = []
  private var lastStep = 0
  /// Whether a step has more to do, so that the next turn does not wait.
  private var isBusy = true

  /// A loop that watches nothing yet.
  ///
  /// - Throws: `SystemError` where the process has no descriptor left.
  public convenience init() throws(SystemError) { try self.init(reading: { .now }) }

  /// The same, with a clock of a test's.
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

  /// Runs on the calling thread until `isDone`, asked after each turn, says so, or until `stop()`.
  public func run(until isDone: () -> Bool) {
    let outer = thread.withLock { owner in
      defer { owner = pthread_self() }
      return owner
    }
    defer { thread.withLock { $0 = outer } }
    isBusy = true
    while !isDone(), turn() {}
  }

  /// Ends `run()` after the turn in hand.
  ///
  /// From any thread.
  public func stop() {
    inbox.withLock { $0.isStopping = true }
    poller.wake()
  }

  /// Runs `body` on the loop's thread in one of its next turns.
  ///
  /// From any thread.
  public func perform(_ body: @escaping @Sendable () -> Void) {
    inbox.withLock { $0.bodies.append(body) }
    poller.wake()
  }

  /// Has the loop take one more turn before it waits: there may be something that no descriptor tells of.
  func wakeUp() { poller.wake() }

  /// Waits for what comes next, then handles it and the timers that are due.
  ///
  /// - Returns: false if the loop is to stop.
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

  /// How long the loop has run, as its timers measure it: without times for which the system was
  /// suspended or the loop was held up.
  ///
  /// It may stand still while no timer is pending.
  public var uptime: Duration { clock.time(at: readClock()) }

  /// A loop that is later than this has been held up: it reads what has arrived meanwhile before any
  /// timer goes off, but for no longer than this.
  private static let maxLateness = Duration.milliseconds(100)

  /// Waits until something is ready or a timer is due, and handles what is ready.
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

  /// Has the timers go off that are due, unless there is something to read first.
  private func goOff() {
    if let end = catchUpEnd {
      guard clock.time >= end else { return }
      catchUpEnd = nil
    }
    for due in timers.take(dueAt: clock.time) where timers.goOff(due.timer) { due.body() }
  }

  // MARK: What is confined to the thread

  /// Calls `handler` whenever `descriptor` is ready for `interest`, level-triggered, in place of an earlier one.
  public func watch(
    _ descriptor: Int32, for interest: Interest, _ handler: @escaping (Interest) -> Void
  ) throws(SystemError) {
    checkConfinement()
    try poller.set(descriptor, interest, handler)
  }

  /// Watches `descriptor` no more.
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

  /// Forgets a timer; one that has gone off or was cancelled before is no error.
  public func cancel(_ timer: Timer) {
    checkConfinement()
    timers.remove(timer)
  }

  /// Calls `body` at the end of every turn; as long as it gives true there is no wait.
  func addStep(_ body: @escaping () -> Bool) -> Int {
    checkConfinement()
    lastStep += 1
    steps.append((lastStep, body))
    wakeUp()
    return lastStep
  }

  func removeStep(_ id: Int) { steps.removeAll { $0.id == id } }

  private func hasStep(_ id: Int) -> Bool { steps.contains { $0.id == id } }

  /// Traps where the caller is not on the loop's thread: a mistake of the program, never of a peer.
  func checkConfinement() {
    precondition(isOnThread, "used off the event loop's thread")
  }

  private var isOnThread: Bool {
    thread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? true }
  }

  // MARK: SerialExecutor

  /// Takes a job of an actor that runs here.
  ///
  /// From any thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    inbox.withLock { $0.jobs.append(job) }
    poller.wake()
  }

  /// Traps off the loop's thread.
  public func checkIsolated() { checkConfinement() }
}
