import ArgumentParser
import DragboardClient

struct ViewList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the open views of all applications.",
    aliases: ["ls"])

  @OptionGroup var output: ListingOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      let views = try await dragboard.views()
      let boards = output.json ? [:] : try await Self.names(on: dragboard)
      var listing = Listing(
        [.number("VIEW"), "APPLICATION", "BOARD", "EDITING", .number("SELECTED")],
        output)
      var entries: [Listing.Entry] = []
      for (view, info) in views {
        let name = await ApplicationName.find(info.application, on: dragboard)
        let rest = [
          boards[info.board] ?? info.board.path, info.isEditing ? "yes" : "",
          "\(info.selection.count)",
        ]
        entries.append(
          Listing.Entry(
            json: info.json(of: view.id), cells: ["\(view.id)", name] + rest,
            fields: ["\(view.id)", info.application] + rest))
      }
      try listing.print(entries)
    }
  }

  private static func names(
    on dragboard: isolated DragboardConnection
  ) async throws -> [BoardID: String] {
    var names: [BoardID: String] = [:]
    for (board, info) in try await dragboard.boards() { names[board.id] = info.name }
    return names
  }
}

extension ViewInfo {
  func json(of view: ViewID) -> JSON {
    [
      "view": JSON(view.number), "board": .string(board.path),
      "application": .string(application), "editing": .boolean(isEditing),
      "selection": JSON(texts: selection), "pending": JSON(text: pending),
      "allows_multiple_selection": .boolean(allowsMultipleSelection),
    ]
  }
}
