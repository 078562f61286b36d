import ArgumentParser
import DragboardClient

/// `dragboard boards`.
struct Boards: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "boards", abstract: "Show the boards.",
    discussion: """
      EXAMPLES:
        dragboard boards
        dragboard boards --json | jq -r .name
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      var listing = Listing(
        ["NAME", .number("ROWS"), "SECTIONS", .number("REVISION")], isJSON: output.json)
      try listing.print(try await dragboard.boards().map { Self.entry($0.board, $0.info) })
    }
  }

  private static func entry(_ board: Board, _ info: BoardInfo) -> Listing.Entry {
    let json: JSON = [
      "name": .string(info.name), "path": .string(board.id.path), "rows": JSON(info.count),
      "sections": JSON(texts: info.sections), "revision": .integer(Int64(clamping: info.revision)),
      "accepted_types": JSON(texts: info.acceptedTypes), "max_rows": JSON(info.maxRows),
      "moves_multiple_rows": .boolean(info.movesMultipleRows),
      "dragging": .boolean(info.hasActiveDrag),
    ]
    let sections = info.sections.joined(separator: ", ")
    return Listing.Entry(
      json: json, cells: [info.name, "\(info.count)", sections, "\(info.revision)"])
  }
}
