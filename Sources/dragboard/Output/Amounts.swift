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
    let date = String(unsafeUninitializedCapacity: 32) { buffer in
      buffer.withMemoryRebound(to: CChar.self) {
        strftime($0.baseAddress, $0.count, "%Y-%m-%dT%H:%M:%S", &parts)
      }
    }
    let microseconds = 1_000_000 + attoseconds / 1_000_000_000_000
    return "\(date).\("\(microseconds)".dropFirst())Z"
  }
}
