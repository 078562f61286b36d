import Glibc

/// A time since the start of the system, in the unit of process start times in `/proc`.
struct BootTime: Comparable, Sendable {
  /// The time in clock ticks.
  ///
  /// On Linux, a second has 100 ticks.
  let ticks: UInt64

  /// Returns the present time, including the time for which the system was suspended.
  static func now() -> BootTime {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    let rate = UInt64(clamping: sysconf(Int32(_SC_CLK_TCK)))
    let part = UInt64(clamping: time.tv_nsec) * rate / 1_000_000_000
    return BootTime(ticks: UInt64(clamping: time.tv_sec) * rate + part)
  }

  /// Whether the first time is earlier.
  static func < (one: BootTime, other: BootTime) -> Bool { one.ticks < other.ticks }
}
