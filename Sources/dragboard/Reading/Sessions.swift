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
      var listing = Listing(
        [.number("DRAG"), "APPLICATION", "STATE", .number("ITEMS"), "LATEST"], isJSON: output.json)
      try listing.print(try await dragboard.sessions().map { Self.entry($0.session.id, $0.info) })
    }
  }

  private static func entry(_ session: SessionID, _ info: SessionInfo) -> Listing.Entry {
    let json: JSON = [
      "session": .integer(Int64(clamping: session.number)),
      "application": .string(info.application), "state": .string(info.state.rawValue),
      "operation": JSON(text: info.operation?.rawValue), "items": JSON(info.itemCount),
      "board": JSON(text: info.sourceBoard), "rows": JSON(texts: info.sourceRows),
      "allows_move": .boolean(info.allowsMove),
      "restricted": .boolean(info.isRestrictedToApplication), "progress": .fraction(info.progress),
    ]
    let latest = info.operation?.rawValue ?? ""
    return Listing.Entry(
      json: json,
      cells: [
        "\(session)", info.application, info.state.rawValue, "\(info.itemCount)", latest,
      ])
  }
}
