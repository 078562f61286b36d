import Glibc

/// The descriptors of standard input, output and error.
enum StandardStreams {
  /// Opens streams that are closed.
  ///
  /// Without this, a socket could get the number of a closed stream, and would receive the output
  /// of the command.
  ///
  /// Each stream is opened in the wrong direction, so that using it fails. Source: gnulib,
  /// "stdopen".
  static func fill() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      // open(2) returns the lowest free number.
      _ = open("/dev/null", mode)
    }
  }
}
