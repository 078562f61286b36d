import ArgumentParser
import DragboardClient

struct Sessions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions", abstract: "Show the drags that have not ended, oldest first.",
    discussion: """
      For each drag, show the application, the number of items, and the names or types of the first items. On a terminal, \
      the application has the name of its desktop file or process; in a pipe, its id.

      EXAMPLES:
        dragboard sessions
        dragboard sessions --json | jq -r .application
      """)

  @OptionGroup var output: ListingOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      var entries: [Listing.Entry] = []
      var listing = Listing(
        [
          .number("DRAG"), "APPLICATION", "STATE", .number("ITEMS"), "LATEST",
          Table.Column(head: "WHAT", isFlexible: true),
        ], output)
      for (session, info) in try await dragboard.sessions() {
        do throws(DragboardError) {
          let contents = try await ItemSummary(of: session, count: info.itemCount)
          let name =
            info.machine.isEmpty
            ? await ApplicationName.find(info.application, on: dragboard) : "on \(info.machine)"
          entries.append(Self.entry(session.id, info, of: name, contents))
        } catch {
          // A drag that has ended meanwhile is left out.
          guard error.reason == .noSuchSession || error.reason == .sessionEnded else { throw error }
        }
      }
      try listing.print(entries)
    }
  }

  private static func entry(
    _ session: SessionID, _ info: SessionInfo, of name: String, _ contents: ItemSummary
  ) -> Listing.Entry {
    let json: JSON = [
      "session": .integer(Int64(clamping: session.number)),
      "application": .string(info.application), "state": .string(info.state.rawValue),
      "operation": JSON(text: info.operation?.rawValue), "items": JSON(info.itemCount),
      "board": JSON(text: info.sourceBoard), "rows": JSON(texts: info.sourceRows),
      "allows_move": .boolean(info.allowsMove),
      "restricted": .boolean(info.isRestrictedToApplication),
      "machine": JSON(text: info.machine.isEmpty ? nil : info.machine),
      "progress": .fraction(info.progress),
      "contents": contents.json,
    ]
    let rest = [
      info.state.rawValue, "\(info.itemCount)", info.operation?.rawValue ?? "", contents.text,
    ]
    let application = info.machine.isEmpty ? info.application : "on \(info.machine)"
    return Listing.Entry(
      json: json, cells: ["\(session)", name] + rest,
      fields: ["\(session)", application] + rest)
  }
}
