/// The wall clock by which rows and deleted boards age.
///
/// The wall clock of a machine can be wrong after its start, and can jump. A deletion by age is final,
/// so it waits after a start and after a jump: for the age itself, which the service has then measured
/// without the wall clock, but at most for ``maxDelay``.
final class AgeClock {
  /// The difference between the wall clock and the elapsed time that is a jump.
  private static let maxDrift = Duration.seconds(600)
  private static let maxDelay = Duration.seconds(600)

  private let wallClock: () -> UInt64
  private let elapsed: () -> Duration
  private var last: (wall: UInt64, elapsed: Duration)
  /// The elapsed time at the start of the service or at the latest jump.
  private var epoch: Duration

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - wallClock: returns the time, in microseconds since 1970, UTC.
  ///   - elapsed: returns the time since any moment, including the time for which the system was
  ///     suspended.
  init(_ wallClock: @escaping () -> UInt64, elapsed: @escaping () -> Duration) {
    (self.wallClock, self.elapsed) = (wallClock, elapsed)
    epoch = elapsed()
    last = (wallClock(), epoch)
  }

  /// The present time, in microseconds since 1970, UTC.
  var now: UInt64 { wallClock() }

  /// Returns the time for which the deletion of things of this age must wait.
  func delay(ofDeletionAt age: Duration) -> Duration {
    let (wall, elapsed) = (wallClock(), elapsed())
    let advance = wall > last.wall ? Int64(clamping: wall - last.wall) : 0
    if .microseconds(advance) > elapsed - last.elapsed + Self.maxDrift { epoch = elapsed }
    last = (wall, elapsed)
    return max(.zero, min(age, Self.maxDelay) - (elapsed - epoch))
  }
}
