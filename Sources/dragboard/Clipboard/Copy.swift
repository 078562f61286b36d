import ArgumentParser
import DragboardClient

struct Copy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Make a row the clipboard, with all its types.",
    discussion: """
      The clipboard bridge reads the bytes when a program pastes them. It has to run: see 'dragboard clipboard'.

      EXAMPLES:
        dragboard copy 3
        dragboard copy 1 --board clipboard
      """)

  @Argument(help: .row)
  var row: RowName
  @OptionGroup var board: BoardOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection, board, having: [row]) { board in
      let item = try await RowFinder(board).item(row)
      try await board.connection.clipboard.copy(item, of: board)
    }
  }
}
