import Glibc

enum TextArguments {
  /// Says on a terminal that a text is the name of a file, which the user may have meant.
  static func warnOfFiles(_ texts: [String], _ command: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    let names = texts.filter { text in
      !text.isEmpty && !text.contains("\n") && access(text, F_OK) == 0
    }
    guard !names.isEmpty else { return }
    let files = names.map(ShellWord.quoted).joined(separator: " ")
    let (subject, object) =
      names.count == 1 ? ("is a text", "the file") : ("are texts", "the files")
    Console.writeError(
      TerminalText("\(files) \(subject) here; \(object): dragboard \(command) --file \(files)").text
        + "\n")
  }
}
