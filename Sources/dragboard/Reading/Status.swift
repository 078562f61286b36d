import ArgumentParser
import DragboardClient

/// `dragboard status`.
struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show whether the daemon runs, and what it holds.",
    discussion: """
      Does not start it: where it does not run, the exit code is 69.

      EXAMPLES:
        dragboard status
        dragboard status --json | jq .rows
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      guard try await dragboard.daemon.isRunning() else {
        let canStart = try await dragboard.daemon.isActivatable()
        if output.json {
          try Console.writeLine(["running": false, "activatable": .boolean(canStart)])
        }
        throw CommandError(
          .noDaemon, "the daemon does not run",
          remedy: canStart
            ? "The first call starts it: try 'dragboard list'."
            : "'dragboard doctor' says what is missing.")
      }
      let facts = try await Self.facts(of: dragboard)
      if output.json { return try Console.writeLine(facts) }
      for fact in facts.members {
        let name = String(fact.name.map { $0 == "_" ? " " : $0 })
        try Console.writeLine(
          Ink.standard.dim(TerminalText(name).padded(to: 16)) + TerminalText(fact.value.words).text)
      }
    }
  }

  private static func facts(
    of dragboard: isolated DragboardConnection
  ) async throws(DragboardError) -> JSON {
    let boards = try await dragboard.boards()
    return [
      "running": true,
      "version": .string(try await dragboard.daemon.version()),
      "command_version": .string(DragboardConnection.version),
      "process": JSON(try await dragboard.daemon.processID()),
      "boards": JSON(boards.count),
      "rows": JSON(boards.reduce(0) { $0 + $1.info.count }),
      "drags": JSON(try await dragboard.sessions().count),
    ]
  }
}
