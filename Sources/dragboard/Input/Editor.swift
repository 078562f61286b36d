import ArgumentParser
import DragboardClient
import Files
import Glibc

enum Editor {
  /// Opens a text in the editor, waits until the editor exits, and passes the edited text to `store`.
  ///
  /// If an error occurs after the user has changed the text, the file of the text stays, and the error
  /// has its path. On a terminal, the user can first open the editor again with the same text.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - name: the name of the file.
  ///   - notes: returns more lines for the error; the argument is the path of the file.
  ///   - store: stores the text. It is called again if the user opens the editor again.
  /// - Throws: `CommandError` if the editor fails, or the text is not UTF-8; `Failure` if the
  ///   editor cannot be started or the file cannot be written; the errors of `store`.
  static func edit(
    _ text: String, named name: String, notes: (String) -> [String] = { _ in [] },
    _ store: (String) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/\(name)"
    try ByteSink(path).write(Array(text.utf8))
    while true {
      folder.isKept = true
      do {
        try await store(try edited(path))
        folder.isKept = false
        return
      } catch {
        guard hasChanged(path, from: text) else {
          folder.isKept = false
          throw error
        }
        let report = CommandError(reporting: error)?
          .adding(["The edited text is in \(path)"] + notes(path))
        guard let report else {
          Console.writeError(TerminalText("The edited text is in \(path)").text + "\n")
          throw error
        }
        guard Console.isInteractive else { throw report }
        Console.writeError(report.text)
        guard Question.ask("Open the editor again?", default: true) else {
          throw ExitCode(report.status.rawValue)
        }
      }
    }
  }

  static var command: String { Environment["VISUAL"] ?? Environment["EDITOR"] ?? "vi" }

  private static func hasChanged(_ path: String, from text: String) -> Bool {
    guard let bytes = try? InputFile(path: path).bytes() else { return false }
    return bytes != Array(text.utf8)
  }

  /// Opens the file in the editor, and returns the edited text.
  private static func edited(_ path: String) throws -> String {
    let code = try run(path)
    guard code == 0 else {
      throw CommandError(.failure, "the editor exited with status \(code); nothing has changed")
    }
    let bytes = try InputFile(path: path).bytes()
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandError(.usage, "the edited text is not UTF-8; nothing has changed")
    }
    return text
  }

  /// Runs the editor's command, such as `emacs -nw`.
  ///
  /// Only the editor receives Ctrl-C.
  private static func run(_ path: String) throws(Failure) -> Int32 {
    let handler = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, handler) }
    return try Subprocess(shell: "\(command) \(ShellWord.quoted(path))").wait()
  }
}

extension CommandError {
  /// Creates the error that reports another error; nil if the command was interrupted.
  fileprivate init?(reporting error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as DragboardError: self.init(error)
    case Failure.interrupted, Failure.outputClosed: return nil
    case let failure as Failure: self.init(.inputOutput, failure.description)
    default: return nil
    }
  }
}
