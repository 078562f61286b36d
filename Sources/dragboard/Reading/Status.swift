import ArgumentParser
import DragboardClient

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show whether the daemon runs, its contents and its limits.",
    discussion: """
      This does not start the daemon. If the daemon does not run, the exit code is 69. The names of the limits are their \
      names in the configuration file.

      EXAMPLES:
        dragboard status
        dragboard status --json | jq .limits.max_representation_bytes
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
            ? "The first call starts it: \(SuggestedCall("list"))"
            : "To show the fault and its remedy: \(SuggestedCall("doctor"))")
      }
      let facts = try await Self.facts(of: dragboard)
      let limits = try await dragboard.daemon.limits().byName.sorted { $0.key < $1.key }
      if output.json { return try Console.writeLine(facts + Self.json(limits)) }
      for fact in facts.members {
        try Self.write(fact.name.replacing("_", with: " "), fact.value.words, width: 16)
      }
      for (name, value) in limits {
        try Self.write(name, Self.amount(value, name), width: 32)
      }
    }
  }

  private static func write(_ name: String, _ value: String, width: Int) throws(Failure) {
    try Console.writeLine(
      Ink.standard.dim(TerminalText(name).padded(to: width)) + TerminalText(value).text)
  }

  /// Returns the value of a limit with its unit.
  ///
  /// The end of the name determines the unit.
  private static func amount(_ value: UInt64, _ name: String) -> String {
    if name.hasSuffix("-bytes") { return Amounts.bytes(Int(clamping: value)) }
    return name.hasSuffix("-timeout") ? "\(value) s" : "\(value)"
  }

  private static func json(_ limits: [(key: String, value: UInt64)]) -> JSON {
    let members = limits.map {
      JSON.Member(name: $0.key.replacing("-", with: "_"), value: JSON($0.value))
    }
    return ["limits": .object(members)]
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
