/// The running time of an event loop.
///
/// The clock stands still while the system is suspended. If a stop signal, a freezer or a slow handler
/// holds up the loop, the clock counts at most half a second of that: a peer may have spoken
/// meanwhile, or may have been held up too. Such a time is no evidence of its silence.
struct LoopClock {
  /// The most that is counted when an iteration takes longer than its wait and this.
  static let maxDelay = Duration.milliseconds(500)

  private var last: SuspendingClock.Instant
  /// The running time at the latest call of `advance`.
  private(set) var time = Duration.zero

  /// A clock that starts at zero.
  init(at now: SuspendingClock.Instant) { last = now }

  /// Counts the time since the latest call, in which the loop meant to wait for `wait`.
  ///
  /// - Returns: the delay: how much longer than `wait` it took.
  mutating func advance(to now: SuspendingClock.Instant, waiting wait: Duration) -> Duration {
    let elapsed = now - last
    time = time(at: now, waiting: wait)
    last = now
    return elapsed - wait
  }

  /// Returns the running time, of which nothing since the latest call of `advance` was a wait.
  func time(at now: SuspendingClock.Instant, waiting wait: Duration = .zero) -> Duration {
    let elapsed = now - last
    return time + (elapsed <= wait + Self.maxDelay ? elapsed : Self.maxDelay)
  }
}
