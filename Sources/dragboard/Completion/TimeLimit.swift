import Glibc

/// The time limit of a completion, for which a shell waits.
enum TimeLimit {
  /// alarm(2) takes whole seconds.
  private static let seconds: UInt32 = 1

  /// Runs `body`; after the limit the process exits with 0 and prints nothing.
  ///
  /// An alarm also ends a wait within libdbus for a bus that does not answer.
  static func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    signal(SIGALRM) { _ in _exit(0) }
    alarm(seconds)
    defer { alarm(0) }
    return try body()
  }
}
