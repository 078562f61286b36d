import Glibc

/// What the words of a command line are written in.
enum ArgumentEncoding {
  /// Ends the program where a word is no UTF-8: as a text it would be changed, and as a path it would be another file's.
  static func check() {
    for number in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = CommandLine.unsafeArgv[number], String(validatingCString: word) == nil else {
        continue
      }
      let shown = TerminalText(String(cString: word)).text
      Console.writeError("Error: argument \(number) is not UTF-8: '\(shown)'\n")
      exit(ExitStatus.usage.rawValue)
    }
  }
}
