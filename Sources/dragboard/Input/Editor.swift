import Glibc

/// The user's editor, which has the terminal as long as it runs.
enum Editor {
  /// Has a text edited.
  ///
  /// - Parameters:
  ///   - text: what is edited.
  ///   - name: what the file is called that holds it.
  /// - Returns: what it has become.
  /// - Throws: `CommandError` where the editor fails, or leaves what is no UTF-8; `Failure`.
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

  /// The command is a shell's, as `EDITOR='emacs -nw'` shows; Ctrl-C is for it, not for this program.
  private static func run(_ path: String) throws(Failure) -> Int32 {
    let command = variable("VISUAL") ?? variable("EDITOR") ?? "vi"
    let handler = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, handler) }
    return try ShellCommand("\(command) \(ShellWord.quoted(path))").wait()
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
