import ArgumentParser
import DragboardClient

/// The arguments of `undo` and `redo`: the number of edits, and the board.
struct HistoryOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("Number of edits.", valueName: "count"))
  var count = 1
  @OptionGroup var board: BoardOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard count > 0 else { throw ValidationError("count: \(count) is not positive") }
  }

  /// Performs `step` at most `count` times, and reports the changes of each step.
  ///
  /// If there are fewer edits, reports how many steps were performed.
  func makeSteps(
    until end: DragboardError.Reason, _ verb: String, _ outcome: String,
    on dragboard: isolated DragboardConnection,
    _ step: (Board) async throws(DragboardError) -> UInt64
  ) async throws {
    let board = try await board.find(on: dragboard)
    var texts = RowTexts(of: board)
    try await texts.load()
    for number in 0..<count {
      let revision: UInt64
      do throws(DragboardError) { revision = try await step(board) } catch {
        guard error.reason == end, number > 0 else { throw error }
        return Console.writeError(
          "\(Amounts.count(number, "edit")) \(outcome); there are no other edits\n")
      }
      try await report(revision, of: board, verb, &texts)
    }
  }

  private func report(
    _ revision: UInt64, of board: Board, _ verb: String, _ texts: inout RowTexts
  ) async throws {
    let changes: [BoardChange]?
    do throws(DragboardError) {
      changes = try await board.history.changes(since: revision - 1).changes
    } catch {
      guard error.reason == .staleRevision else { throw error }
      changes = nil
    }
    try await texts.follow(changes ?? [])
    if output.json {
      let reporter = WatchReporter(board: self.board.board, isJSON: true)
      for change in changes ?? [] { try reporter.report(change, texts, at: revision) }
    } else {
      let words = changes.map { ChangeSummary($0, texts).text } ?? "too many changes to list"
      try Console.writeLine(TerminalText("\(verb): \(words)").text)
    }
  }
}

/// `dragboard undo`.
struct Undo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo the latest edits of a board by any client.",
    discussion: """
      Print the changes of each undone edit. If there are fewer edits than requested, all are undone. If there is no \
      edit to undo, the exit code is 77.

      EXAMPLES:
        dragboard undo
        dragboard undo 3 --board work
        dragboard undo --json
      """)

  @OptionGroup var history: HistoryOptions

  func run() throws {
    try run(on: history.connection) { dragboard in
      try await history.makeSteps(until: .nothingToUndo, "undone", "undone", on: dragboard) {
        board throws(DragboardError) in try await board.history.undo()
      }
    }
  }
}

/// `dragboard redo`.
struct Redo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Redo the edits that were undone last.",
    discussion: """
      Print the changes of each redone edit. If there are fewer undone edits than requested, all are redone. If there \
      is no edit to redo, the exit code is 77.

      EXAMPLES:
        dragboard redo
      """)

  @OptionGroup var history: HistoryOptions

  func run() throws {
    try run(on: history.connection) { dragboard in
      try await history.makeSteps(until: .nothingToRedo, "redone", "redone", on: dragboard) {
        board throws(DragboardError) in try await board.history.redo()
      }
    }
  }
}
