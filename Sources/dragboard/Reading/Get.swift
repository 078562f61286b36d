import ArgumentParser
import DragboardClient

/// `dragboard get`.
struct Get: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Write the bytes of a row to standard output or to a file.",
    discussion: """
      EXAMPLES:
        dragboard get 3
        dragboard get 3 --type text/html > page.html
        dragboard get later:0 --output picture.png
      """)

  @Argument(help: .row)
  var row: RowName
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The type, or a pattern such as image/* (the best there is).", valueName: "type"),
    completion: .typesOfRow)
  var type: String?
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write (standard output).", valueName: "file"),
    completion: .file())
  var output: String?
  @OptionGroup var board: BoardOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection, board, isInterruptible: true) { board in
      let item = try await RowFinder(board).item(row)
      let wanted = type.map { ContentType($0) } ?? .any
      try await ByteSink(output).write(try await board.file(of: item, as: wanted))
    }
  }
}
