import DragboardClient
import Files
import Glibc

/// Standard output and standard error.
enum Console {
  /// Whether standard output is a terminal with colours, and NO_COLOR is not set.
  ///
  /// Source: no-color.org.
  static var hasColours: Bool {
    isTerminal && Environment["NO_COLOR"] == nil && Environment["TERM"] != "dumb"
  }

  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether the command can ask the user: standard input and standard error are terminals.
  static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// The width of the terminal; if neither standard output nor standard error is a terminal,
  /// COLUMNS or 80.
  static var columns: Int { size { Int($0.ws_col) } ?? number("COLUMNS") ?? 80 }

  /// The height of the terminal; if neither standard output nor standard error is a terminal, LINES
  /// or 24.
  static var lines: Int { size { Int($0.ws_row) } ?? number("LINES") ?? 24 }

  /// Source: ioctl_tty(2).
  private static func size(_ part: (winsize) -> Int) -> Int? {
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      var size = winsize()
      if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, part(size) > 0 { return part(size) }
    }
    return nil
  }

  private static func number(_ name: String) -> Int? { Environment[name].flatMap { Int($0) } }

  /// Writes the whole text to standard output.
  ///
  /// - Throws: `outputClosed`, `system`.
  static func write(_ text: String) throws(Failure) {
    ProgressBar.clear()
    try write(text, to: STDOUT_FILENO)
  }

  /// Writes a line to standard output.
  ///
  /// - Throws: `outputClosed`, `system`.
  static func writeLine(_ text: String) throws(Failure) { try write(text + "\n") }

  /// Writes a JSON value as a line to standard output.
  ///
  /// - Throws: `outputClosed`, `system`.
  static func writeLine(_ value: JSON) throws(Failure) { try writeLine(value.description) }

  /// Writes the whole text to standard error.
  ///
  /// A failure is ignored, because it cannot be reported.
  static func writeError(_ text: String) {
    ProgressBar.clear()
    try? write(text, to: STDERR_FILENO)
  }

  /// Writes the whole text to a descriptor.
  ///
  /// - Throws: `outputClosed`, `system`.
  static func write(_ text: String, to descriptor: Int32) throws(Failure) {
    try write(Array(text.utf8), to: descriptor)
  }

  /// Writes all bytes to standard output.
  ///
  /// - Throws: `outputClosed`, `system`.
  static func write(_ bytes: [UInt8]) throws(Failure) {
    ProgressBar.clear()
    try write(bytes, to: STDOUT_FILENO)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
    // withUnsafeBytes does not rethrow a typed error, so the closure returns a result.
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(Failure) in try write(bytes, to: descriptor) }
    }
    try result.get()
  }

  /// Writes all bytes to a descriptor.
  ///
  /// - Throws: `outputClosed`, `interrupted`, `system`.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest)
      let count = Glibc.write(descriptor, piece.baseAddress, piece.count)
      guard count >= 0 || errno == EINTR else {
        throw errno == EPIPE ? .outputClosed : .system("write")
      }
      rest = rest.dropFirst(max(count, 0))
      // A signal has interrupted the write, which was blocked because the reader did not read.
      if !rest.isEmpty, let interrupted = Interrupted.latest {
        throw .interrupted(interrupted.signal)
      }
    }
  }
}
