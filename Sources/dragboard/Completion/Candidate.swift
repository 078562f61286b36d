/// A word that a command line can go on with, and what is said of it.
struct Candidate: Equatable {
  let word: String
  /// What fish and zsh show beside it; "" for nothing.
  let words: String

  init(_ word: String, _ words: String = "") {
    self.word = word
    self.words = words
  }

  /// The candidate as a completion script takes it.
  ///
  /// - Parameters:
  ///   - shell: whose script; nil where no shell asks.
  ///   - kept: what of the word the shell leaves in its place.
  /// - Returns: nil where the shell cannot insert it there.
  func line(for shell: CompletionCommand.Shell?, behind kept: String) -> String? {
    switch shell {
    case .bash?: word.hasPrefix(kept) ? Self.escaped(word.dropFirst(kept.count)) : nil
    case .zsh?: described(by: ":", word: Self.escapedForZsh(word))
    case .fish?: described(by: "\t", word: word)
    default: word
    }
  }

  private func described(by separator: String, word: String) -> String {
    let shown = TerminalText(words).cut(to: Self.width).text
    return shown.isEmpty ? word : word + separator + shown
  }

  /// The columns that are worth a look while completing.
  private static let width = 60

  /// bash expands candidates as it expands a command line, `$(…)` included: every character stands for itself alone with a backslash.
  private static func escaped(_ text: Substring) -> String {
    text.reduce(into: "") { escaped, character in
      let isPlain = !character.isASCII || character.isLetter || character.isNumber
      escaped += isPlain ? "\(character)" : "\\\(character)"
    }
  }

  /// A colon ends the word and begins what is said of it.
  private static func escapedForZsh(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      escaped += character == ":" || character == "\\" ? "\\\(character)" : "\(character)"
    }
  }
}
