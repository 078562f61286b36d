import Glibc

/// The time limit of a completion.
///
/// The shell is blocked until the completion ends.
enum TimeLimit {
  /// The limit in whole seconds, as alarm(2) requires.
  private static let seconds: UInt32 = 1

  /// Runs `body`.
  ///
  /// After the limit, the process exits with 0 and prints nothing. The alarm also ends a wait in
  /// libdbus for a bus that does not answer.
  static func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    signal(SIGALRM) { _ in _exit(0) }
    alarm(seconds)
    defer { alarm(0) }
    return try body()
  }
}
