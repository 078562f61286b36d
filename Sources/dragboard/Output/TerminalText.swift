import CLinux
import Text

/// A text that cannot control a terminal, and its width.
///
/// Visible symbols, such as ␛, replace ASCII control characters. U+FFFD replaces other scalars that
/// can deceive a reader.
struct TerminalText: Equatable {
  let text: String
  /// The number of columns that the text occupies.
  let width: Int

  /// Creates a text on one line, in which controls and deceptive scalars are replaced.
  init(_ text: String) {
    let isPlain =
      text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
    guard isPlain != true else {
      (self.text, width) = (text, text.utf8.count)
      return
    }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { shown.append(scalar.displayed) }
    self.text = String(shown)
    width = Self.width(of: self.text)
  }

  private init(text: String, width: Int) {
    self.text = text
    self.width = width
  }

  /// Returns the text; if it needs more than `columns`, returns its beginning and `…`.
  func cut(to columns: Int) -> TerminalText {
    guard width > columns else { return self }
    guard columns > 0 else { return TerminalText(text: "", width: 0) }
    var kept = ""
    var taken = 0
    for character in text {
      let width = Self.width(of: String(character))
      guard taken + width < columns else { break }
      kept.append(character)
      taken += width
    }
    return TerminalText(text: kept + "…", width: taken + 1)
  }

  /// Returns the text padded with spaces: at the end, or at the beginning if the text is a number.
  func padded(to columns: Int, isNumber: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(columns - width, 0))
    return isNumber ? spaces + text : text + spaces
  }

  /// Returns the sum of wcwidth(3).
  ///
  /// An unknown scalar has one column.
  private static func width(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { sum, scalar in
      let width = clinux_width(scalar.value)
      return sum + (width < 0 ? 1 : Int(width))
    }
  }
}
