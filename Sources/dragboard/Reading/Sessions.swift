import ArgumentParser
import DragboardClient

/// `dragboard sessions`.
struct Sessions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions", abstract: "Show the drags that have not ended, oldest first.",
    discussion: """
      EXAMPLES:
        dragboard sessions
        dragboard sessions --json | jq -r .application
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      let sessions = try await dragboard.sessions()
      if output.json {
        let lines = sessions.map { "\(Self.json($0.session, $0.info))\n" }
        return try Console.write(lines.joined())
      }
      try Listing.print(
        ["DRAG", "APPLICATION", "STATE", "ITEMS", "LATEST"], numbers: [0, 3],
        sessions.map { session, info in
          [
            "\(session.id)", info.application, info.state.rawValue, "\(info.itemCount)",
            info.operation?.rawValue ?? "",
          ]
        })
    }
  }

  private static func json(_ session: DragSession, _ info: SessionInfo) -> JSON {
    [
      "session": .integer(Int64(clamping: session.id.number)),
      "application": .string(info.application), "state": .string(info.state.rawValue),
      "operation": JSON(text: info.operation?.rawValue), "items": JSON(info.itemCount),
      "board": JSON(text: info.sourceBoard), "rows": JSON(texts: info.sourceRows),
      "allows_move": .boolean(info.allowsMove),
      "restricted": .boolean(info.isRestrictedToApplication), "progress": .fraction(info.progress),
    ]
  }
}
