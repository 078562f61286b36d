/// Text styles and colours of a terminal.
///
/// Source: ECMA-48, "Select Graphic Rendition".
struct Ink {
  let hasColours: Bool

  static var standard: Ink { Ink(hasColours: Console.hasColours) }

  func bold(_ text: String) -> String { set(text, 1) }
  func dim(_ text: String) -> String { set(text, 2) }
  func red(_ text: String) -> String { set(text, 31) }
  func green(_ text: String) -> String { set(text, 32) }
  func yellow(_ text: String) -> String { set(text, 33) }

  private func set(_ text: String, _ code: Int) -> String {
    hasColours ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
