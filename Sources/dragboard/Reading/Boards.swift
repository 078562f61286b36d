import ArgumentParser
import DragboardClient

/// `dragboard boards`.
struct Boards: BoardLister {
  static let configuration = CommandConfiguration(
    commandName: "boards", abstract: "List the boards.",
    discussion: """
      EXAMPLES:
        dragboard boards
        dragboard boards --json | jq -r .name
      """)

  @OptionGroup var output: ListingOptions
  @OptionGroup var connection: ConnectionOptions
}

/// `dragboard board list`.
struct BoardList: BoardLister {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the boards, as 'dragboard boards' does.", aliases: ["ls"])

  @OptionGroup var output: ListingOptions
  @OptionGroup var connection: ConnectionOptions
}

/// A command that lists the boards.
protocol BoardLister: ParsableCommand, Sendable {
  var output: ListingOptions { get }
  var connection: ConnectionOptions { get }
}

extension BoardLister {
  func run() throws {
    try run(on: connection) { dragboard in
      var listing = Listing(
        ["NAME", .number("ROWS"), "SECTIONS", .number("REVISION")], output)
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
