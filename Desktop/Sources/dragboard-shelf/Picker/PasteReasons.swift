import ShelfModel

/// The translations of the sentences with which the clipboard bridge says why it has not pasted.
enum PasteReasons {
  /// Returns the translation of a sentence; an unknown sentence is not translated.
  static func translated(_ sentence: String) -> String { all[sentence] ?? ShownText.line(sentence) }

  private static let all = [
    "The window to paste into is not known.": localized("The window to paste into is not known."),
    "No window had the focus before.": localized("No window had the focus before."),
    "The window to paste into was closed.": localized("The window to paste into was closed."),
    "Another window has the focus now.": localized("Another window has the focus now."),
    "The screen is locked.": localized("The screen is locked."),
    "An open menu or another program has the keyboard.": localized(
      "An open menu or another program has the keyboard."),
    "A key is held down.": localized("A key is held down."),
    "Another program has selected something at the same moment.": localized(
      "Another program has selected something at the same moment."),
    "The keyboard has no key that pastes.": localized("The keyboard has no key that pastes."),
    "This desktop lets no program paste. Press the keys that paste.": localized(
      "This desktop lets no program paste. Press the keys that paste."),
    "On GNOME, Dragboard's extension pastes. It is not enabled.": localized(
      "On GNOME, Dragboard's extension pastes. It is not enabled."),
    "The desktop refused to paste.": localized("The desktop refused to paste."),
  ]
}
