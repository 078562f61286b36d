/// A text as one word of a shell command.
///
/// A shell reads Unicode scalars; a grapheme cluster could hide a quote.
enum ShellWord {
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=+@%".unicodeScalars)

  /// The text, in single quotes where it needs some.
  static func quoted(_ text: String) -> String {
    if !text.isEmpty, text.unicodeScalars.allSatisfy(plain.contains) { return text }
    let parts = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.map { String($0) }.joined(separator: "'\\''") + "'"
  }

  /// What a word of a command line means to a shell, quotes and backslashes taken away; one that is not closed yet counts as closed.
  static func unquoted(_ word: String) -> String {
    var text = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    var isEscaped = false
    for character in word.unicodeScalars {
      if isEscaped {
        if quote == "\"", !"$`\"\\".unicodeScalars.contains(character) { text.append("\\") }
        text.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else {
        text.append(character)
      }
    }
    return String(text)
  }
}
