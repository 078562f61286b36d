import Glibc

enum Editor {
  /// Opens a text in the editor, waits, and returns the edited text.
  ///
  /// - Throws: `CommandError` if the editor fails, or the text is not UTF-8; `Failure`.
  static func edit(_ text: String, named name: String) throws -> String {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/\(name)"
    try ByteSink(path).write(Array(text.utf8))
    let code = try run(path)
    guard code == 0 else {
      throw CommandError(.failure, "the editor ended with \(code); nothing was changed")
    }
    let bytes = try InputFile(path: path).bytes()
    guard let edited = String(validating: bytes, as: UTF8.self) else {
      throw CommandError(.usage, "the edited text is not UTF-8; nothing was changed")
    }
    return edited
  }

  static var command: String { Environment["VISUAL"] ?? Environment["EDITOR"] ?? "vi" }

  /// Runs the command that the variables have, such as `emacs -nw`; it alone gets Ctrl-C.
  private static func run(_ path: String) throws(Failure) -> Int32 {
    let handler = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, handler) }
    return try Subprocess(shell: "\(command) \(ShellWord.quoted(path))").wait()
  }
}
