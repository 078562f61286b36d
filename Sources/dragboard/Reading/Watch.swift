import ArgumentParser
import DragboardClient

struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print changes of a board, and events of drags and the daemon.",
    discussion: """
      Print a line for each event, with the time and the text of the row. The command runs until you press Ctrl-C or the board is \
      deleted. If the daemon restarts, the command also prints the changes in between.

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
      let reporter = WatchReporter(board: self.board.board, isJSON: output.json, hasTimes: true)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { for try await event in events { try reporter.report(event) } }
        group.addTask {
          var texts = RowTexts(of: board)
          for try await update in board.mirror() { try await reporter.report(update, &texts) }
        }
        group.addTask { for try await event in drops { try reporter.report(event) } }
        // When the first task ends, the other tasks are cancelled.
        defer { group.cancelAll() }
        try await group.next()
      }
    }
  }
}
