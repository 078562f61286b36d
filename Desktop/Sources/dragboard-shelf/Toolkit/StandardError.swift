import Glibc

/// The standard error of the program.
enum StandardError {
  /// Writes a text.
  static func write(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
