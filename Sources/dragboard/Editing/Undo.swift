import ArgumentParser
import DragboardClient

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

  @Argument(help: ArgumentHelp("How many edits.", valueName: "count"))
  var count = 1
  @OptionGroup var board: BoardOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard count > 0 else { throw ValidationError("count is 1 or more") }
  }

  func run() throws {
    try run(on: connection) { dragboard in
      let board = try await board.find(on: dragboard)
      for _ in 0..<count { try await board.undo() }
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

  @Argument(help: ArgumentHelp("How many edits.", valueName: "count"))
  var count = 1
  @OptionGroup var board: BoardOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard count > 0 else { throw ValidationError("count is 1 or more") }
  }

  func run() throws {
    try run(on: connection) { dragboard in
      let board = try await board.find(on: dragboard)
      for _ in 0..<count { try await board.redo() }
    }
  }
}
