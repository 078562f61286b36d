import Files
import Glibc

enum Editor {
  /// Opens a text in the editor, waits until the editor exits, and returns the edited text.
  ///
  /// - Throws: `CommandError` if the editor fails, or the text is not UTF-8; `Failure` if the
  ///   editor cannot be started or the file cannot be written.
  static func edit(_ text: String, named name: String) throws -> String {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/\(name)"
    try ByteSink(path).write(Array(text.utf8))
    let code = try run(path)
    guard code == 0 else {
      throw CommandError(.failure, "the editor exited with status \(code); nothing has changed")
    }
    let bytes = try InputFile(path: path).bytes()
    guard let edited = String(validating: bytes, as: UTF8.self) else {
      throw CommandError(.usage, "the edited text is not UTF-8; nothing has changed")
    }
    return edited
  }

  static var command: String { Environment["VISUAL"] ?? Environment["EDITOR"] ?? "vi" }

  /// Runs the editor's command, such as `emacs -nw`.
  ///
  /// Only the editor receives Ctrl-C.
  private static func run(_ path: String) throws(Failure) -> Int32 {
    let handler = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, handler) }
    return try Subprocess(shell: "\(command) \(ShellWord.quoted(path))").wait()
  }
}
