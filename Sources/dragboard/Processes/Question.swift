import Glibc

/// A yes-or-no question to the user of a terminal.
enum Question {
  /// Prints a question on standard error, and reads the answer from standard input.
  ///
  /// Call it only if `Console.isInteractive` is true.
  ///
  /// - Parameters:
  ///   - text: the question.
  ///   - isYes: the answer if the user types only Enter.
  /// - Returns: the answer; false at the end of the input, or if the answer is neither yes nor no.
  static func ask(_ text: String, default isYes: Bool) -> Bool {
    Console.writeError("\(TerminalText(text).text) \(isYes ? "[Y/n]" : "[y/N]") ")
    guard let line = readLine() else {
      Console.writeError("\n")
      return false
    }
    let answer = line.filter { !$0.isWhitespace }.lowercased()
    return answer.isEmpty ? isYes : "yes".hasPrefix(answer)
  }

  /// Asks a question to which the user may give no answer.
  ///
  /// Call it only if `Console.isInteractive` is true.
  ///
  /// - Returns: the answer; nil if the user types only Enter, or at the end of the input.
  static func ask(_ text: String) -> Bool? {
    while let answer = askText("\(text) [y/n, Enter: leave it]")?.lowercased(), !answer.isEmpty {
      if "yes".hasPrefix(answer) { return true }
      if "no".hasPrefix(answer) { return false }
    }
    return nil
  }

  /// Asks for a text.
  ///
  /// Call it only if `Console.isInteractive` is true.
  ///
  /// - Returns: the line without spaces at its ends; nil at the end of the input.
  static func askText(_ text: String) -> String? {
    Console.writeError("\(TerminalText(text).text) ")
    guard let line = readLine() else {
      Console.writeError("\n")
      return nil
    }
    return String(line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
