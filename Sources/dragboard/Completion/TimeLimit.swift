import Glibc

/// The time that a completion may take: a shell waits for it with everything it does.
enum TimeLimit {
  /// As long as a person who has pressed Tab may be kept waiting; alarm(2) takes whole seconds.
  private static let seconds: UInt32 = 1

  /// Does `body`; where it takes too long the process ends, in good order and without a word.
  ///
  /// That holds whatever keeps it: a bus that does not answer is waited for within libdbus.
  static func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    signal(SIGALRM) { _ in _exit(0) }
    alarm(seconds)
    defer { alarm(0) }
    return try body()
  }
}
