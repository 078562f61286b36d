import Glibc

/// Standard input, output and error as descriptors that nothing else takes.
enum StandardStreams {
  /// Opens missing streams, so that no socket gets their numbers, and no output of the command.
  ///
  /// Each is opened in the wrong direction: reading and writing fail.
  /// Source: gnulib, "stdopen".
  static func fill() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      // open(2) returns the lowest free number.
      _ = open("/dev/null", mode)
    }
  }
}
