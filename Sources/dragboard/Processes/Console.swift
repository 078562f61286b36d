import Glibc

/// Standard output and standard error.
enum Console {
  /// Whether colours are wanted: standard output is a terminal that has some, and NO_COLOR is unset or empty.
  ///
  /// Source: no-color.org.
  static var hasColours: Bool {
    func variable(_ name: String) -> String {
      getenv(name).map { String(cString: $0) } ?? ""
    }
    return isatty(STDOUT_FILENO) == 1 && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
  }

  /// Writes the whole text to standard output.
  ///
  /// - Throws: `outputClosed`, `system`.
  static func write(_ text: String) throws(Failure) { try write(text, to: STDOUT_FILENO) }

  /// Writes the whole text to standard error; nobody can be told where that fails.
  static func writeError(_ text: String) { try? write(text, to: STDERR_FILENO) }

  private static func write(_ text: String, to descriptor: Int32) throws(Failure) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno == EPIPE {
        throw .outputClosed
      } else if errno != EINTR {
        throw .system("write")
      }
    }
  }
}
