/// A word of a shell command.
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
}
