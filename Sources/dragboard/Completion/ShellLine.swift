/// A command line up to the cursor.
struct ShellLine: Equatable {
  /// The words before the word to complete, without quotes; the first is the program's name.
  let words: [String]
  /// The word to complete, up to the cursor, without quotes.
  let current: String
  /// The beginning of `current` that the shell does not replace: in `errands:3`, bash replaces only
  /// the `3`.
  let kept: String

  /// - Parameters:
  ///   - line: the line with its quotes.
  ///   - replaced: the end of the line that the shell replaces; nil for the whole word.
  init(_ line: String, replacing replaced: String? = nil) {
    var words = ShellWord.split(line)
    let last = words.removeLast()
    self.words = words.map(ShellWord.unquoted)
    current = ShellWord.unquoted(last)
    guard let replaced, last.unicodeScalars.count >= replaced.unicodeScalars.count else {
      kept = ""
      return
    }
    kept = ShellWord.unquoted(
      String(last.unicodeScalars.dropLast(replaced.unicodeScalars.count)))
  }
}
