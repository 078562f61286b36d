import ArgumentParser
import DragboardClient

/// How many edits of which board are meant.
struct HistoryOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("How many edits.", valueName: "count"))
  var count = 1
  @OptionGroup var board: BoardOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard count > 0 else { throw ValidationError("count is 1 or more") }
  }
}

/// `dragboard undo`.
struct Undo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take the latest edits of a board back, whoever made them.",
    discussion: """
      Nothing to take back is exit code 77.

      EXAMPLES:
        dragboard undo
        dragboard undo 3 --board work
      """)

  @OptionGroup var history: HistoryOptions

  func run() throws {
    try run(on: history.connection) { dragboard in
      let board = try await history.board.find(on: dragboard)
      for _ in 0..<history.count { try await board.undo() }
    }
  }
}

/// `dragboard redo`.
struct Redo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Make again what was taken back.",
    discussion: """
      Nothing to make again is exit code 77.

      EXAMPLES:
        dragboard redo
      """)

  @OptionGroup var history: HistoryOptions

  func run() throws {
    try run(on: history.connection) { dragboard in
      let board = try await history.board.find(on: dragboard)
      for _ in 0..<history.count { try await board.redo() }
    }
  }
}
