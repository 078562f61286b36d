import Text

/// The words that completion offers.
///
/// Clients choose the names of boards and sections and the types of rows. No shell may evaluate
/// them. Each shell quotes the words that it inserts. As a second barrier, completion offers no
/// word that a shell would evaluate if the quotes were lost.
///
/// Types contain semicolons, so a semicolon is permitted, but only in ASCII words. If a word has
/// letters that the locale of bash does not know, bash writes the word as `$'…'`, and does not
/// escape a semicolon in it.
///
/// - Safe: `my board`, `text/plain;charset=utf-8`, `Zürich 🏔`
/// - Unsafe: the empty word, `--exec=sh`, `$(sh)`, ``a`sh` ``, `~`, `a"b`, `Mum's`, `ü;x`, words
///   with U+202E or U+0600
///
/// The check is by Unicode scalar: a grapheme cluster can hide a backtick.
enum SafeWord {
  /// Returns whether completion may offer the text as a word.
  static func isSafe(_ text: String) -> Bool {
    // A word that begins with a hyphen could be an option. zsh replaces `=name` by the path of a
    // command.
    guard let first = text.unicodeScalars.first, first != "-", first != "=" else { return false }
    guard !text.unicodeScalars.contains(";") || text.utf8.allSatisfy({ $0 < 0x80 }) else {
      return false
    }
    var previous: Unicode.Scalar = "-"
    for scalar in text.unicodeScalars {
      guard isSafe(scalar, after: previous) else { return false }
      previous = scalar
    }
    return true
  }

  private static func isSafe(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return isLetterOrDigit(scalar) || marks.contains(scalar) }
    if scalar.isDeceptive { return false }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    case .decimalNumber, .letterNumber, .otherNumber: true
    case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: true
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation: true
    case .initialPunctuation, .finalPunctuation, .otherPunctuation: true
    case .nonspacingMark, .spacingMark, .enclosingMark:
      !previous.isASCII || isLetterOrDigit(previous)
    default: false
    }
  }

  /// The permitted ASCII punctuation.
  private static let marks = Set("_-.,/:+@%= ;".unicodeScalars)

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }
}
