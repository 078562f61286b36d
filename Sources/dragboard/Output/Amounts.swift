import Glibc

enum Amounts {
  /// An age: `now`, `5m`, `3h`, `12d`, `2y`.
  static func age(of instant: Duration, at now: Duration) -> String {
    let seconds = max((now - instant).components.seconds, 0)
    switch seconds {
    case ..<60: return "now"
    case ..<3_600: return "\(seconds / 60)m"
    case ..<86_400: return "\(seconds / 3_600)h"
    case ..<31_536_000: return "\(seconds / 86_400)d"
    default: return "\(seconds / 31_536_000)y"
    }
  }

  /// An age in words: `3 minutes ago`, `just now`.
  static func ago(_ instant: Duration, at now: Duration) -> String {
    let seconds = Int(max((now - instant).components.seconds, 0))
    switch seconds {
    case ..<60: return "just now"
    case ..<3_600: return "\(count(seconds / 60, "minute")) ago"
    case ..<86_400: return "\(count(seconds / 3_600, "hour")) ago"
    case ..<31_536_000: return "\(count(seconds / 86_400, "day")) ago"
    default: return "\(count(seconds / 31_536_000, "year")) ago"
    }
  }

  /// The time of day in the local time zone: `19:05:33`.
  static func timeOfDay(_ instant: Duration) -> String {
    var time = time_t(instant.components.seconds)
    var parts = tm()
    localtime_r(&time, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// A number of bytes: `17 B`, `3.4 KiB`, `200 MiB`.
  static func bytes(_ count: Int) -> String {
    guard count >= 1_024 else { return "\(count) B" }
    var amount = Double(count)
    var unit = -1
    while amount >= 1_024, unit < units.count - 1 {
      amount /= 1_024
      unit += 1
    }
    let tenths = Int((amount * 10).rounded())
    return tenths < 100
      ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(tenths / 10) \(units[unit])"
  }

  private static let units = ["KiB", "MiB", "GiB", "TiB"]

  /// A number of things: `1 row`, `2 rows`.
  static func count(_ number: Int, _ thing: String) -> String {
    number == 1 ? "1 \(thing)" : "\(number) \(thing)s"
  }

  /// A duration in whole minutes or seconds: `10 minutes`, `90 seconds`.
  static func words(_ duration: Duration) -> String {
    let seconds = Int(duration.components.seconds)
    return seconds > 0 && seconds % 60 == 0
      ? count(seconds / 60, "minute") : count(seconds, "second")
  }

  /// A long duration in whole days, hours, minutes or seconds: `30 days`.
  static func longWords(_ duration: Duration) -> String {
    let seconds = Int(duration.components.seconds)
    if seconds.isMultiple(of: 86_400) { return count(seconds / 86_400, "day") }
    return seconds.isMultiple(of: 3_600) ? count(seconds / 3_600, "hour") : words(duration)
  }

  /// The current time since the beginning of 1970, UTC.
  static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// An instant in the format of RFC 3339, in UTC: `2026-11-21T07:00:00.123456Z`.
  static func timestamp(_ instant: Duration) -> String {
    let (seconds, attoseconds) = instant.components
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    let fraction = Int(attoseconds / 1_000_000_000_000)
    // A list of many rows has many times, so the digits are written without a format.
    return String(unsafeUninitializedCapacity: 40) { text in
      var end = 0
      func put(_ number: Int, _ digits: Int, _ after: Unicode.Scalar) {
        var rest = number
        for index in (0..<digits).reversed() {
          text[end + index] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        text[end + digits] = UInt8(ascii: after)
        end += digits + 1
      }
      let year = max(Int(parts.tm_year) + 1_900, 0)
      put(year, max("\(year)".utf8.count, 4), "-")
      put(Int(parts.tm_mon) + 1, 2, "-")
      put(Int(parts.tm_mday), 2, "T")
      put(Int(parts.tm_hour), 2, ":")
      put(Int(parts.tm_min), 2, ":")
      put(Int(parts.tm_sec), 2, ".")
      put(max(fraction, 0), 6, "Z")
      return end
    }
  }
}
