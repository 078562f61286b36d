import Glibc

enum TextArguments {
  /// Warns on a terminal if a text is the path of a file, because the user may have meant the file.
  static func warnOfFiles(_ texts: [String], _ command: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    let names = texts.filter { text in
      !text.isEmpty && !text.contains("\n") && access(text, F_OK) == 0
    }
    guard !names.isEmpty else { return }
    let files = names.map(ShellWord.quoted).joined(separator: " ")
    let (subject, object) =
      names.count == 1 ? ("was used as a text", "the file") : ("were used as texts", "the files")
    Console.writeError(
      TerminalText(
        "\(files) \(subject). For \(object): "
          + "\(SuggestedCall(command)) --file \(files)"
      ).text
        + "\n")
  }
}
