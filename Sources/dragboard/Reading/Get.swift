import ArgumentParser
import DragboardClient

struct Get: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Write the bytes of a row to standard output or to a file.",
    discussion: """
      A terminal gets text only, with a line feed at its end; --force writes any bytes to it. Files and pipes get \
      the bytes as they are.

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
  var output: FilePath?
  @Flag(help: "Write to a terminal even if it is not text.")
  var force = false
  @OptionGroup var board: BoardOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection, board, having: [row], isInterruptible: true) { board in
      let item = try await RowFinder(board).item(row)
      let wanted = type.map { ContentType($0) } ?? .any
      let file = try await board.file(of: item, as: wanted)
      let isShown = (output?.text ?? "-") == "-" && Console.isTerminal && !force
      guard isShown else { return try await ByteSink(output?.text).write(file) }
      guard try TerminalWriter.write(file) else {
        throw CommandError(
          .refused,
          "\(row.text): not text (\(try await Self.kind(of: item, on: board))), and the output is a terminal",
          remedy: "Write it to a file: dragboard get \(row.text) --output FILE")
      }
    }
  }

  private static func kind(of item: ItemID, on board: Board) async throws(DragboardError) -> String
  {
    try await board.types(of: item).map(\.rawValue).joined(separator: ", ")
  }
}
