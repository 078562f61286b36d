import ArgumentParser
import DragboardClient

struct Types: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "types",
    abstract: "Show the types of a row or of a drag's items, the best first.",
    discussion: """
      EXAMPLES:
        dragboard types 3
        dragboard types --session 12
      """)

  @Argument(help: .row)
  var row: RowName?
  @Option(
    help: ArgumentHelp(
      "A drag instead of a row; shows the types of each of its items.", valueName: "number"),
    completion: .sessions)
  var session: UInt64?
  @OptionGroup var board: BoardOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard (row == nil) != (session == nil) else {
      throw ValidationError("row: expected either a row or --session")
    }
  }

  func run() throws {
    try run(on: connection) { dragboard in
      if let row {
        let board = try await board.find(on: dragboard, having: [row])
        let item = try await RowFinder(board).item(row)
        try print(try await board.types(of: item), of: "id", .string(item.description))
      }
      if let session {
        let session = DragSession(SessionID(session), on: dragboard)
        for item in 0..<(try await session.info().itemCount) {
          try print(try await session.types(ofItem: item), of: "item", JSON(item))
        }
      }
    }
  }

  private func print(_ types: [ContentType], of key: String, _ value: JSON) throws(Failure) {
    if output.json {
      return try Console.writeLine([key: value, "types": JSON(texts: types)])
    }
    let start = session == nil ? "" : "\(value)\t"
    try Console.write(types.map { "\(start)\($0)\n" }.joined())
  }
}
