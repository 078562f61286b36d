import ArgumentParser
import DragboardClient

/// `dragboard watch`.
struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show what happens, as it happens: changes of a board, drags, the daemon.",
    discussion: """
      Ends with Ctrl-C, or when the board is deleted. The daemon's leaving is told, and what happened \
      meanwhile when it has come back.

      EXAMPLES:
        dragboard watch
        dragboard watch --json | jq -c 'select(.event == "insert")'
      """)

  @OptionGroup var board: BoardOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection, isInterruptible: true) { dragboard in
      let events = dragboard.events()
      let board = try await board.find(on: dragboard)
      let drops = await board.dropTarget.events()
      let reporter = WatchReporter(board: self.board.board, isJSON: output.json)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { for try await event in events { try reporter.report(event) } }
        group.addTask { for try await update in board.mirror() { try reporter.report(update) } }
        group.addTask { for try await event in drops { try reporter.report(event) } }
        // The first to end ends both.
        defer { group.cancelAll() }
        try await group.next()
      }
    }
  }
}
