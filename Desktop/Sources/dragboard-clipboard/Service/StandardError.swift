import Glibc

/// The standard error of the program, which is the journal in a session.
enum StandardError {
  /// Writes a line.
  ///
  /// Control characters become U+FFFD, because a message may quote text of another program.
  static func writeLine(_ text: String) {
    let scalars = text.unicodeScalars.map {
      $0.properties.generalCategory == .control ? "\u{FFFD}" : $0
    }
    let line = "dragboard-clipboard: \(String(String.UnicodeScalarView(scalars)))\n"
    _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

/// The exit codes of the program.
enum Exit: Int32 {
  /// The display or the bus is gone or unreachable. A later attempt may succeed.
  case displayGone = 1
  /// The arguments are invalid.
  case usage = 2
  /// Another program owns the name on the bus.
  case nameTaken = 3

  /// Prints a message and exits.
  static func now(_ reason: Exit, _ message: String) -> Never {
    StandardError.writeLine(message)
    exit(reason.rawValue)
  }
}
