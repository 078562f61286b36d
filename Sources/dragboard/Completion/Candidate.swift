/// A word that a command line can continue with, and a description of it.
struct Candidate: Equatable {
  let word: String
  /// The description that fish and zsh show beside it; "" for none.
  let words: String

  init(_ word: String, _ words: String = "") {
    self.word = word
    self.words = words
  }

  /// Returns the candidate as a line of output for a completion script.
  ///
  /// The word is not quoted, because the shell quotes the words that it inserts.
  ///
  /// - Parameters:
  ///   - shell: the shell of the script; nil if no shell calls the command.
  ///   - kept: the beginning of the word that the shell does not replace.
  /// - Returns: the line; nil if the word is not safe, or if the shell cannot insert it there.
  func line(for shell: CompletionCommand.Shell?, behind kept: String) -> String? {
    guard SafeWord.isSafe(word) else { return nil }
    switch shell {
    case .bash?:
      let scalars = word.unicodeScalars
      guard scalars.starts(with: kept.unicodeScalars) else { return nil }
      return String(scalars.dropFirst(kept.unicodeScalars.count))
    // A colon ends the word and begins the description.
    case .zsh?: return described(by: ":", word: Self.escapingColons(word))
    case .fish?: return described(by: "\t", word: word)
    default: return word
    }
  }

  /// Escapes every colon, even a colon with an emoji modifier, which is another Character.
  private static func escapingColons(_ word: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in word.unicodeScalars {
      if scalar == ":" { escaped.append("\\") }
      escaped.append(scalar)
    }
    return String(escaped)
  }

  private func described(by separator: String, word: String) -> String {
    let shown = TerminalText(words).cut(to: Self.width).text
    return shown.isEmpty ? word : word + separator + shown
  }

  private static let width = 60
}
