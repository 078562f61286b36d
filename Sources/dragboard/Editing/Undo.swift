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

  /// Repeats a step `count` times; after the last possible step, says how many there were.
  func makeSteps(
    until end: DragboardError.Reason, _ outcome: String, on dragboard: isolated DragboardConnection,
    _ step: (Board) async throws(DragboardError) -> Void
  ) async throws {
    let board = try await board.find(on: dragboard)
    for number in 0..<count {
      do throws(DragboardError) { try await step(board) } catch {
        guard error.reason == end, number > 0 else { throw error }
        return Console.writeError(
          "\(Amounts.count(number, "edit")) \(outcome); there are no more\n")
      }
    }
  }
}

/// `dragboard undo`.
struct Undo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take the latest edits of a board back, whoever made them.",
    discussion: """
      Nothing to take back is exit code 77; of more edits than there are, all are taken back.

      EXAMPLES:
        dragboard undo
        dragboard undo 3 --board work
      """)

  @OptionGroup var history: HistoryOptions

  func run() throws {
    try run(on: history.connection) { dragboard in
      try await history.makeSteps(until: .nothingToUndo, "taken back", on: dragboard) {
        board throws(DragboardError) in try await board.history.undo()
      }
    }
  }
}

/// `dragboard redo`.
struct Redo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Make again what was taken back.",
    discussion: """
      Nothing to make again is exit code 77; of more edits than there are, all are made again.

      EXAMPLES:
        dragboard redo
      """)

  @OptionGroup var history: HistoryOptions

  func run() throws {
    try run(on: history.connection) { dragboard in
      try await history.makeSteps(until: .nothingToRedo, "made again", on: dragboard) {
        board throws(DragboardError) in try await board.history.redo()
      }
    }
  }
}
