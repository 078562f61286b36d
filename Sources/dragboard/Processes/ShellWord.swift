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
    var scanner = QuoteScanner()
    for scalar in word.unicodeScalars { text.append(contentsOf: scanner.text(of: scalar)) }
    return String(text)
  }

  /// Splits a line at the blanks that are not quoted; the words keep their quotes.
  ///
  /// - Returns: at least one word. After a blank at the end, the last word is empty.
  static func split(_ line: String) -> [String] {
    var words: [String.UnicodeScalarView] = [.init()]
    var scanner = QuoteScanner()
    for scalar in line.unicodeScalars {
      if scalar.properties.isWhitespace, !scanner.isQuoting {
        if words.last?.isEmpty == false { words.append(.init()) }
      } else {
        words[words.count - 1].append(scalar)
        _ = scanner.text(of: scalar)
      }
    }
    return words.map { String($0) }
  }

  /// The quotes that are open while a line is read.
  private struct QuoteScanner {
    private var quote: Unicode.Scalar?
    private var isEscaped = false

    /// Whether the next scalar is quoted.
    var isQuoting: Bool { quote != nil || isEscaped }

    /// Reads the next scalar, and returns the text that it means.
    mutating func text(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
      if isEscaped {
        isEscaped = false
        return quote == "\"" && !"$`\"\\".unicodeScalars.contains(scalar)
          ? ["\\", scalar] : [scalar]
      }
      switch scalar {
      case "\\" where quote != "'": isEscaped = true
      case "'" where quote == nil, "\"" where quote == nil: quote = scalar
      case quote: quote = nil
      default: return [scalar]
      }
      return []
    }
  }
}
