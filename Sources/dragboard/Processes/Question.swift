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
}
