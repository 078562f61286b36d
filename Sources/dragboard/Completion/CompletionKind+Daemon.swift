import ArgumentParser
import DragboardClient

/// What the daemon is asked for while a command line is completed.
extension CompletionKind {
  /// The boards.
  static let boards = asking { try await CompletionQuestions($0, $1).boards() }
  /// Rows of the board that `--board` names.
  static let rows = asking { try await CompletionQuestions($0, $1).rows() }
  /// Rows of the board of the view that comes first.
  static let rowsOfView = asking { try await CompletionQuestions($0, $1).rowsOfView() }
  /// Rows of that board, and the ends of its sections.
  static let places = asking { try await CompletionQuestions($0, $1).places() }
  /// Sections of that board.
  static let sections = asking { try await CompletionQuestions($0, $1).sections() }
  /// Drags that have not ended.
  static let sessions = asking { try await CompletionQuestions($0, $1).sessions() }
  /// Views that are open.
  static let views = asking { try await CompletionQuestions($0, $1).views() }
  /// Types of the row that comes first.
  static let typesOfRow = asking { try await CompletionQuestions($0, $1).typesOfRow() }
  /// Types of the drag that comes first, or of the latest.
  static let typesOfDrag = asking { try await CompletionQuestions($0, $1).typesOfDrag() }
  /// Types that are known by the names of files.
  static let types = list(FileType.known)
  /// The same, and patterns.
  static let typePatterns = list(
    ["*/*", "text/*", "image/*", "audio/*", "video/*"] + FileType.known)

  /// Asks the daemon, and says nothing where that fails: whoever presses Tab wants no errors.
  private static func asking(
    _ question:
      @escaping @Sendable (isolated DragboardConnection, ShellLine) async throws -> [Candidate]
  ) -> CompletionKind {
    custom { words, index, _ in
      let shell = CompletionShell.requesting.flatMap {
        CompletionCommand.Shell(rawValue: $0.rawValue)
      }
      let line = ShellLine(words, completing: index, isBash: shell == .bash)
      let candidates = TimeLimit.run {
        try? DragboardConnection.run(to: line.value(of: "--address")) { dragboard in
          try await question(dragboard, line)
        }
      }
      return (candidates ?? []).compactMap { $0.line(for: shell, behind: line.kept) }
    }
  }
}
