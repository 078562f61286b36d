import Glibc

/// The encoding of the command line.
enum ArgumentEncoding {
  /// Exits if an argument is not UTF-8: its text would be changed, and its path would be another
  /// file's.
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
