import Glibc

/// An error of the system or of another program.
enum Failure: Error, Equatable {
  /// A signal asked it to leave.
  case interrupted(Int32)
  /// The reader of the output has gone.
  case outputClosed
  /// A program is not installed; the remedy.
  case missing(program: String, remedy: String)
  /// The system refused a call.
  case system(call: String, code: Int32)
  /// A wait has exceeded its limit.
  case late(what: String, limit: Duration)
  /// A program said something else than it should have.
  case unexpected(what: String, expected: String, actual: String)
}

extension Failure: CustomStringConvertible {
  var description: String {
    switch self {
    case .interrupted(let signal): "ended by signal \(signal)"
    case .outputClosed: "nobody reads the output"
    case .missing(let program, let remedy): "\(program) is missing; \(remedy)"
    case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
    case .late(let what, let limit): "\(what) did not come within \(limit)"
    case .unexpected(let what, let expected, let actual):
      "\(what): expected \(expected), but got \(actual)"
    }
  }

  /// The failure of a call that has left its reason in `errno`.
  static func system(_ call: String) -> Failure { .system(call: call, code: errno) }
}
