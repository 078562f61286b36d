import DBus

/// A signal that was seen on the bus.
struct SeenSignal: Equatable {
  let member: String
  let arguments: [JSON]
}

/// A dbus-monitor process that listens from its initialization on, and whose signals are read one
/// by one.
final class SignalListener {
  private let process: ChildProcess
  private var lines: LineReader

  /// Starts dbus-monitor and waits until it listens.
  ///
  /// - Throws: `unexpected` if it ends; `interrupted`, `late`, `system`.
  init(
    _ path: String, rules: [String], in home: PrivateHome,
    _ interruption: borrowing Interruption
  ) throws(Failure) {
    process = try ChildProcess(path, ["--session"] + rules, in: home)
    lines = LineReader(process.output)
    // The bus takes its unique name away from a connection that becomes a monitor.
    while try next(argumentCount: 1, from: nil, interruption).member != "NameLost" {}
  }

  /// Waits for the next signal, with arguments of basic types; `process` must not end meanwhile.
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
        what: "the arguments of \(member)", expected: "\(argumentCount) values",
        actual: "\(arguments)")
    }
  }

  private func line(
    from process: ChildProcess?, _ interruption: borrowing Interruption
  ) throws(Failure) -> String {
    guard let line = try lines.next("a signal", from: process, interruption) else {
      throw .unexpected(what: "dbus-monitor", expected: "a signal", actual: "its end")
    }
    return line
  }
}
