/// The question before a text that could run commands is pasted.
///
/// The raw value is a sentence for the user.
public enum PasteQuestion: String, Hashable, Sendable, CaseIterable {
  case terminal =
    "The text has several lines or control characters, which a terminal may run as commands."
  case unknown =
    "The text has several lines or control characters, and the program that gets it is not known."
}
