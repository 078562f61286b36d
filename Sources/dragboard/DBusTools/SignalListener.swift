import DBus

/// A signal that was received from the bus.
struct SeenSignal: Equatable {
  let member: String
  let arguments: [JSON]
}

/// A dbus-monitor process whose output is read signal by signal.
final class SignalListener {
  private let process: ChildProcess
  private var lines: LineReader

  /// Starts dbus-monitor and waits until it monitors the bus.
  ///
  /// - Throws: `unexpected` if it ends; `interrupted`, `late`, `system`.
  init(
    _ path: String, rules: [String], in home: PrivateHome,
    _ interruption: borrowing Interruption
  ) throws(Failure) {
    process = try ChildProcess(path, ["--session"] + rules, in: home)
    lines = LineReader(process.output)
    // When a connection becomes a monitor, the bus removes its unique name. So NameLost means that
    // dbus-monitor monitors the bus.
    while try next(argumentCount: 1, from: nil, interruption).member != "NameLost" {}
  }

  /// Waits for the next signal.
  ///
  /// All its arguments must have basic types.
  ///
  /// - Throws: `unexpected` if the listener or `process` ends, or the output cannot be parsed;
  ///   `interrupted`, `late`, `system`.
  func next(
    argumentCount: Int, from process: ChildProcess?, _ interruption: borrowing Interruption
  ) throws(Failure) -> SeenSignal {
    let header = try line(from: process, interruption)
    guard header.hasPrefix("signal "), let member = header.split(separator: "member=").last else {
      throw .unexpected(what: "dbus-monitor", expected: "a signal", actual: header)
    }
    var arguments: [String] = []
    while arguments.count < argumentCount {
      arguments.append(try line(from: process, interruption))
    }
    do throws(ReplyParser.Unreadable) {
      return SeenSignal(
        member: String(member), arguments: try ReplyParser.values(in: arguments))
    } catch {
      throw .unexpected(
        what: "arguments of the signal \(member)", expected: "\(argumentCount) values",
        actual: "\(arguments)")
    }
  }

  private func line(
    from process: ChildProcess?, _ interruption: borrowing Interruption
  ) throws(Failure) -> String {
    guard let line = try lines.next("a signal", from: process, interruption) else {
      throw .unexpected(what: "dbus-monitor", expected: "a signal", actual: "end of output")
    }
    return line
  }
}
