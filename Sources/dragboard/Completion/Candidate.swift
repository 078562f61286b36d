/// A word that a command line can continue with, and a description of it.
struct Candidate: Equatable {
  let word: String
  /// The description that fish and zsh show beside it; "" for none.
  let description: String

  init(_ word: String, _ description: String = "") {
    self.word = word
    self.description = description
  }

  /// Creates a candidate from its line.
  init(line: Substring) {
    let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
  }

  /// The candidate as a line of output: the word, and the description after a tab.
  ///
  /// The word is not quoted, because the shell quotes the words that it inserts.
  var line: String {
    let shown = TerminalText(description).cut(to: Self.width).text
    return shown.isEmpty ? word : word + "\t" + shown
  }

  private static let width = 60
}
