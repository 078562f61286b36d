import ArgumentParser
import DragboardClient

struct Copy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Copy a row with all its types to the clipboard.",
    discussion: """
      The clipboard bridge must run: see 'dragboard clipboard'. It reads the bytes when a program pastes them.

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
