/// Conversion between a text and a word of a shell command.
///
/// It works on Unicode scalars, because a grapheme cluster could hide a quote.
enum ShellWord {
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=+@%".unicodeScalars)

  /// Returns the text as a word, in single quotes if necessary.
  static func quoted(_ text: String) -> String {
    if !text.isEmpty, text.unicodeScalars.allSatisfy(plain.contains) { return text }
    let parts = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.map { String($0) }.joined(separator: "'\\''") + "'"
  }

  /// Returns the text of a word, without quotes and backslashes.
  ///
  /// The last quote need not be closed.
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
