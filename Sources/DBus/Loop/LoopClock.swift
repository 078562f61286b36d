/// The running time of an event loop.
///
/// The clock stands still while the system is suspended. If a stop signal, a freezer or a slow
/// handler delays the loop, the clock counts at most half a second of the delay. The reason is that
/// timers must not treat a delay as the silence of a peer: the peer may have sent input during the
/// delay, or may have been delayed, too.
struct LoopClock {
  /// The maximum time that is counted beyond the wait of an iteration.
  static let maxDelay = Duration.milliseconds(500)

  private var last: SuspendingClock.Instant
  /// The running time at the latest call of `advance`.
  private(set) var time = Duration.zero

  /// Creates a clock that starts at zero.
  init(at now: SuspendingClock.Instant) { last = now }

  /// Adds the time since the latest call, which is expected to be `wait`.
  ///
  /// - Returns: the delay, which is the time beyond `wait`.
  mutating func advance(to now: SuspendingClock.Instant, waiting wait: Duration) -> Duration {
    let elapsed = now - last
    time = time(at: now, waiting: wait)
    last = now
    return elapsed - wait
  }

  /// Returns the running time at `now`.
  ///
  /// If the time since the latest call of `advance` exceeds `wait` by more than `maxDelay`, only
  /// `maxDelay` is counted.
  func time(at now: SuspendingClock.Instant, waiting wait: Duration = .zero) -> Duration {
    let elapsed = now - last
    return time + (elapsed <= wait + Self.maxDelay ? elapsed : Self.maxDelay)
  }
}
