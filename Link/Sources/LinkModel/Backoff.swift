/// The delays between attempts, for everything that the link repeats after an error.
///
/// The first retry comes soon, because most errors are short. Then the delay doubles up to the
/// maximum. If an attempt has lasted longer than the maximum, the next retry comes soon again. So a
/// connection that works for hours and breaks is repaired at once, and a connection that breaks
/// whenever it has been made is not.
public struct Backoff: Sendable {
  /// The minimum and the maximum delay.
  public static let delays: ClosedRange<Duration> = .milliseconds(250)...(.seconds(8))

  private let delays: ClosedRange<Duration>
  private var failures = 0
  private var start: ContinuousClock.Instant?

  /// Creates the delays before the first attempt.
  public init(_ delays: ClosedRange<Duration> = delays) { self.delays = delays }

  /// Returns the delay before the next attempt; zero before the first.
  public mutating func next(now: ContinuousClock.Instant = .now) -> Duration {
    guard let last = start else {
      start = now
      return .zero
    }
    if last.duration(to: now) > delays.upperBound { failures = 0 }
    let delay = Self.delay(afterFailures: failures, in: delays)
    failures += 1
    start = now + delay
    return delay
  }

  /// Returns the delay after a number of failures before the last one.
  public static func delay(
    afterFailures failures: Int, in delays: ClosedRange<Duration> = delays
  ) -> Duration {
    let delay = delays.lowerBound * (1 << min(max(failures, 0), 16))
    // Random variation prevents all machines from reconnecting to a server at the same moment.
    return min(delay, delays.upperBound) * Double.random(in: 0.8...1.2)
  }
}
