import ArgumentParser
import DragboardClient
import Glibc

/// The option that suppresses the line about an edit.
struct NoticeOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "On a terminal, do not report the edit.")
  var quiet = false
}

/// The line about an edit on a terminal: `Deleted 3 rows. Undo: dragboard undo`.
///
/// Scripts and pipes get no line. Edits that other clients make at the same time are counted, too, because
/// `undo` undoes them first.
struct EditNotice {
  private let board: Board
  private let revision: UInt64

  /// Notes the revision before an edit; nil if the edit is not reported.
  init?(of board: Board, _ options: NoticeOptions) async throws(DragboardError) {
    guard !options.quiet, Console.isTerminal, isatty(STDERR_FILENO) == 1 else { return nil }
    self.board = board
    revision = try await board.info().revision
  }

  /// Reports the edit, if the board has changed.
  ///
  /// Ignores errors, because the edit has succeeded.
  func report() async {
    guard let info = try? await board.info(), info.revision > revision else { return }
    let changes = try? await board.history.changes(since: revision).changes
    let words = changes.map { ChangeSummary($0, RowTexts(of: board)).text } ?? ""
    let count = info.revision - revision
    let isStandard = info.name == BoardOptions.standard
    let undo = SuggestedCall(
      "undo", count > 1 ? ["\(count)"] : [], isStandard ? [] : [.init("--board", info.name)],
      hasBoard: isStandard)
    let edit =
      words.isEmpty ? "Changed the board" : words.prefix(1).uppercased() + words.dropFirst()
    Console.writeError(TerminalText("\(edit). Undo: \(undo)").text + "\n")
  }
}

extension ParsableCommand {
  /// Runs a command that edits a board, as `run` does, and reports the edit on a terminal.
  ///
  /// - Throws: `ExitCode`, after it has printed the error.
  func runEdit(
    on options: ConnectionOptions, _ board: BoardOptions, having rows: [RowName] = [],
    _ notice: NoticeOptions, isInterruptible: Bool = false,
    _ body: @escaping @Sendable (Board) async throws -> Void
  ) throws {
    try run(on: options, board, having: rows, isInterruptible: isInterruptible) { board in
      let notice = try await EditNotice(of: board, notice)
      try await body(board)
      await notice?.report()
    }
  }
}
