import Glibc

/// The time of the monotonic clock, to measure short durations.
///
/// A read of the clock takes less than half of the instructions of `ContinuousClock.now`.
enum MonotonicTime {
  /// The time in nanoseconds since an unspecified start.
  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
