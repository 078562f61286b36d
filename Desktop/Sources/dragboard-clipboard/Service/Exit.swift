import Glibc
import Journal
import Logging

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
    log.error("\(message)")
    exit(reason.rawValue)
  }
}

/// The log of the program.
let log = Logger(of: "dragboard-clipboard")
