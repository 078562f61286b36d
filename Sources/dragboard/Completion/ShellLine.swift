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
    let words = Self.split(line)
    let last = words.count - 1
    self.words = words[..<last].map(\.text)
    current = words[last].text
    let raw = words[last].raw
    let keptCount = replaced.map { max(0, raw.count - $0.unicodeScalars.count) } ?? 0
    kept = Self.split(String(String.UnicodeScalarView(raw.prefix(keptCount))))[0].text
  }

  /// Splits a line at the blanks that are not quoted.
  ///
  /// The last quote need not be closed.
  ///
  /// - Returns: at least one word, each with its quotes, and without quotes and backslashes. After a
  ///   blank at the end, the last word is empty.
  private static func split(_ line: String) -> [(raw: [Unicode.Scalar], text: String)] {
    var words: [(raw: [Unicode.Scalar], text: String)] = []
    var (raw, text) = ([Unicode.Scalar](), String.UnicodeScalarView())
    var quote: Unicode.Scalar?
    var isEscaped = false
    for scalar in line.unicodeScalars {
      if scalar.properties.isWhitespace, quote == nil, !isEscaped {
        if !raw.isEmpty { words.append((raw, String(text))) }
        (raw, text) = ([], .init())
        continue
      }
      raw.append(scalar)
      if isEscaped {
        if quote == "\"", !"$`\"\\".unicodeScalars.contains(scalar) { text.append("\\") }
        text.append(scalar)
        isEscaped = false
      } else if scalar == "\\", quote != "'" {
        isEscaped = true
      } else if scalar == quote {
        quote = nil
      } else if quote == nil, scalar == "'" || scalar == "\"" {
        quote = scalar
      } else {
        text.append(scalar)
      }
    }
    return words + [(raw, String(text))]
  }
}
