import Glibc

enum WallClock {
  /// The time in microseconds since 1970, UTC.
  static var microseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return microseconds(of: time)
  }

  /// Returns a time in microseconds since 1970.
  ///
  /// A time before 1970 becomes 0, and a time too late to represent becomes the maximum.
  static func microseconds(of time: timespec) -> UInt64 {
    let (whole, isTooLate) = UInt64(clamping: time.tv_sec).multipliedReportingOverflow(
      by: 1_000_000)
    guard time.tv_sec >= 0 else { return 0 }
    let (sum, overflows) = whole.addingReportingOverflow(UInt64(clamping: time.tv_nsec) / 1_000)
    return isTooLate || overflows ? .max : sum
  }
}
