/// The hint for a name of a board without `--board`, such as `dragboard list work`.
enum BoardHint {
  private static let prefix = "Error: Unexpected argument '"

  /// Returns the call with `--board` before the unexpected argument; nil if the error has another cause.
  ///
  /// - Parameter lines: the lines of ArgumentParser's message.
  /// - Returns: the hint.
  static func text(for lines: [Substring]) -> String? {
    let words = NativeArguments.words
    guard let first = lines.first, first.hasPrefix(prefix), first.hasSuffix("'"),
      lines.contains(where: { $0.contains("[--board <name>]") }),
      !words.contains(where: { ["--board", "-b"].contains($0) || $0.hasPrefix("--board=") }),
      let index = words.firstIndex(of: String(first.dropFirst(prefix.count).dropLast()))
    else { return nil }
    let call = (words[..<index] + ["--board"] + words[index...]).map(ShellWord.quoted)
    return "To use the board '\(words[index])': dragboard \(call.joined(separator: " "))"
  }
}
