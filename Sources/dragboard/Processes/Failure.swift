import Files
import Glibc

/// An error of the system or of another program.
enum Failure: Error, Equatable {
  /// A signal has interrupted the command.
  case interrupted(Int32)
  /// The reader has closed the output.
  case outputClosed
  /// A program is not installed.
  case missing(program: String, remedy: String)
  /// A system call failed.
  case system(call: String, code: Int32)
  /// A program returned an unexpected value.
  case unexpected(what: String, expected: String, actual: String)
}

extension Failure: CustomStringConvertible {
  var description: String {
    switch self {
    case .interrupted(let signal): "ended by signal \(signal)"
    case .outputClosed: "the reader has closed the output"
    case .missing(let program, let remedy): "\(program): is missing; \(remedy)"
    case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
    case .unexpected(let what, let expected, let actual):
      "\(what): expected \(expected), but got \(actual)"
    }
  }

  init(_ error: SystemError) { self = .system(call: error.call, code: error.code) }

  /// The failure of a system call that has set `errno`.
  static func system(_ call: String) -> Failure { .system(call: call, code: errno) }
}
