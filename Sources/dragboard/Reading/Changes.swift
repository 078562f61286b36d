import ArgumentParser
import DragboardClient

struct Changes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes", abstract: "Show the changes of a board since a revision.",
    discussion: """
      The daemon stores at least the latest 1,000 revisions. If the revision is no longer stored, the exit code is 77.

      EXAMPLES:
        dragboard changes 12 --json
      """)

  @Argument(
    help: ArgumentHelp("The revision, as 'dragboard boards' shows it.", valueName: "revision"))
  var revision: UInt64
  @OptionGroup var board: BoardOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      let found = try await board.find(on: dragboard)
      let changes = try await changes(of: found)
      var texts = RowTexts(of: found)
      try await texts.follow(changes.changes)
      let reporter = WatchReporter(board: board.board, isJSON: output.json)
      for change in changes.changes { try reporter.report(change, texts, at: nil) }
    }
  }

  private func changes(of board: Board) async throws -> BoardChanges {
    do throws(DragboardError) { return try await board.history.changes(since: revision) } catch {
      guard error.reason == .staleRevision else { throw error }
      throw CommandError(
        .refused, DaemonWords.translated(error.message), remedy: SuggestedCall.listing)
    }
  }
}
