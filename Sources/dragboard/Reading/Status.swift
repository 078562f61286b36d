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
      if output.json { return try Console.writeLine(.object(facts)) }
      let ink = Ink.standard
      for fact in facts {
        let name = String(fact.name.map { $0 == "_" ? " " : $0 })
        let value = if case .string(let text) = fact.value { text } else { "\(fact.value)" }
        try Console.writeLine(ink.dim(TerminalText(name).padded(to: 16)) + TerminalText(value).text)
      }
    }
  }

  private static func facts(
    of dragboard: isolated DragboardConnection
  ) async throws(DragboardError) -> [JSON.Member] {
    let boards = try await dragboard.boards()
    return [
      JSON.Member(name: "running", value: true),
      JSON.Member(name: "version", value: .string(try await dragboard.daemon.version())),
      JSON.Member(name: "command_version", value: .string(DragboardConnection.version)),
      JSON.Member(name: "process", value: JSON(try await dragboard.daemon.processID())),
      JSON.Member(name: "boards", value: JSON(boards.count)),
      JSON.Member(name: "rows", value: JSON(boards.reduce(0) { $0 + $1.info.count })),
      JSON.Member(name: "drags", value: JSON(try await dragboard.sessions().count)),
    ]
  }
}
