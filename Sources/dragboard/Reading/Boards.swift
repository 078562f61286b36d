import ArgumentParser
import DragboardClient

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

struct BoardList: BoardLister {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the boards, as 'dragboard boards' does.", aliases: ["ls"])

  @Flag(help: "List the deleted boards that can be restored, the latest first.")
  var deleted = false
  @OptionGroup var output: ListingOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    guard deleted else { return try listBoards() }
    try run(on: connection) { dragboard in
      let boards = try await dragboard.deletedBoards()
      guard !boards.isEmpty || output.json || !Console.isTerminal else {
        return try Console.writeLine("No board can be restored.")
      }
      var listing = Listing(["NAME", .number("ROWS"), .number("DELETED")], output)
      let now = Amounts.now
      try listing.print(boards.map { Self.entry($0, at: now) })
    }
  }

  private static func entry(_ board: DeletedBoard, at now: Duration) -> Listing.Entry {
    let (rows, time) = ("\(board.count)", Amounts.timestamp(board.deleted))
    return Listing.Entry(
      json: ["name": .string(board.name), "rows": JSON(board.count), "deleted": .string(time)],
      cells: [board.name, rows, Amounts.age(of: board.deleted, at: now)],
      fields: [board.name, rows, time])
  }
}

protocol BoardLister: ParsableCommand, Sendable {
  var output: ListingOptions { get }
  var connection: ConnectionOptions { get }
}

extension BoardLister {
  func run() throws { try listBoards() }

  func listBoards() throws {
    try run(on: connection) { dragboard in
      var listing = Listing(
        ["NAME", .number("ROWS"), "SECTIONS", .number("REVISION")], output)
      try listing.print(try await dragboard.boards().map { Self.entry($0.board, $0.info) })
    }
  }

  private static func entry(_ board: Board, _ info: BoardInfo) -> Listing.Entry {
    let sections = info.sections.joined(separator: ", ")
    return Listing.Entry(
      json: info.json(board), cells: [info.name, "\(info.count)", sections, "\(info.revision)"])
  }
}

extension BoardInfo {
  /// The board as JSON.
  func json(_ board: Board) -> JSON {
    [
      "name": .string(name), "path": .string(board.id.path), "rows": JSON(count),
      "sections": JSON(texts: sections), "revision": .integer(Int64(clamping: revision)),
      "accepted_types": JSON(texts: acceptedTypes), "max_rows": JSON(maxRows),
      "moves_multiple_rows": .boolean(movesMultipleRows),
      "retain_rows": JSON(retainedRows),
      "retain_seconds": .integer(retainedTime.components.seconds),
      "moves_duplicates": .boolean(movesDuplicates),
      "dragging": .boolean(hasActiveDrag),
    ]
  }
}
