/// The delays between attempts: a quarter of a second, doubled up to 30 seconds, with jitter.
enum Backoff {
  static func milliseconds(afterAttempts attempts: Int) -> Int64 {
    let delay = Int64(250) << Int64(min(max(attempts, 0), 7))
    // Machines that lost the same server do not return at the same moment.
    return min(delay, 30_000) * Int64.random(in: 80...120) / 100
  }
}
