/// The delays between attempts: 0.25 s after the first, doubled up to 8 s, with random variation.
enum Backoff {
  static func milliseconds(afterAttempts attempts: Int) -> Int64 {
    let delay = Int64(250) << Int64(min(max(attempts, 0), 5))
    // Random variation prevents all machines from reconnecting to a server at the same moment.
    return delay * Int64.random(in: 80...120) / 100
  }
}
