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
      let boards = try await dragboard.boards()
      if output.json {
        return try Console.write(boards.map { "\(Self.json($0.board, $0.info))\n" }.joined())
      }
      try Listing.print(
        ["NAME", "ROWS", "SECTIONS", "REVISION"], numbers: [1, 3],
        boards.map { _, info in
          [
            info.name, "\(info.count)", info.sections.joined(separator: ", "),
            "\(info.revision)",
          ]
        })
    }
  }

  private static func json(_ board: Board, _ info: BoardInfo) -> JSON {
    [
      "name": .string(info.name), "path": .string(board.id.path), "rows": JSON(info.count),
      "sections": JSON(texts: info.sections), "revision": .integer(Int64(clamping: info.revision)),
      "accepted_types": JSON(texts: info.acceptedTypes), "max_rows": JSON(info.maxRows),
      "moves_multiple_rows": .boolean(info.movesMultipleRows),
      "dragging": .boolean(info.hasActiveDrag),
    ]
  }
}
