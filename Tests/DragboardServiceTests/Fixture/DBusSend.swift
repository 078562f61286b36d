import DBus
import DragboardInterface
import Foundation
import TestSupport

/// Calls the daemon with the real dbus-send, one process for each call.
///
/// In an expected reply, the first `{name}` matches any word and stores it. Each later `{name}` in a
/// call or an expected reply is replaced by the stored word.
final class DBusSend {
  private let daemon: Daemon
  private var kept: [String: String] = [:]

  init(_ daemon: Daemon) { self.daemon = daemon }

  /// A call as a line of a table.
  struct Call: CustomStringConvertible, Sendable {
    /// The path below the root object; "" for the root itself.
    let path: String
    /// The method with its interface, without the common beginning of all interfaces.
    let method: String
    /// The arguments in the syntax of dbus-send.
    let arguments: [String]
    /// The expected output, with single spaces; `…` matches anything.
    let reply: String

    init(_ path: String, _ method: String, _ arguments: String..., gives reply: String) {
      self.init(path, method, arguments, gives: reply)
    }

    init(_ path: String, _ method: String, _ arguments: [String], gives reply: String) {
      (self.path, self.method, self.arguments, self.reply) = (path, method, arguments, reply)
    }

    var description: String { "\(method) \(arguments.joined(separator: " "))" }
  }

  /// Makes the call; returns the output, and whether it is as expected.
  func make(_ call: Call) throws -> (words: String, isExpected: Bool) {
    let method = call.method.hasPrefix("org.") ? call.method : "\(Dragboard.busName).\(call.method)"
    let path = call.path.isEmpty ? Dragboard.root.text : "\(Dragboard.root)/\(filled(call.path))"
    let result = try daemon.run(
      "dbus-send",
      ["--session", "--print-reply", "--dest=\(Dragboard.busName)", path, method]
        + call.arguments.map(filled))
    let lines = result.output.split(separator: "\n").dropFirst().map(String.init) + [result.errors]
    let words = lines.joined(separator: " ").split { $0.isWhitespace }.joined(separator: " ")
    return (words, try keep(words, matching: call.reply))
  }

  private func filled(_ text: String) -> String {
    kept.reduce(text) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
  }

  private func keep(_ words: String, matching expected: String) throws -> Bool {
    let names = /\{(\w+)\}/
    let expected = filled(expected)
    var pattern = NSRegularExpression.escapedPattern(for: expected)
      .replacingOccurrences(of: "…", with: ".*")
    for name in expected.matches(of: names) {
      pattern = pattern.replacingOccurrences(of: "\\{\(name.output.1)\\}", with: "([^\"/]*)")
    }
    guard let match = try Regex(pattern).wholeMatch(in: words) else { return false }
    for (index, name) in expected.matches(of: names).enumerated() {
      kept[String(name.output.1)] = match.output[index + 1].substring.map(String.init)
    }
    return true
  }
}
