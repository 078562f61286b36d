import Glibc

/// Standard input, output and error as descriptors that nothing else takes.
enum StandardStreams {
  /// Opens those that the program was started without, so that no socket gets their number and what is printed.
  ///
  /// Each is opened the wrong way round: who reads or writes it is told that it cannot be.
  /// Source: gnulib, "stdopen".
  static func fill() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest number that is free is this one.
      _ = open("/dev/null", mode)
    }
  }
}
