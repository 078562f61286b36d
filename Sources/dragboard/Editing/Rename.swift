import ArgumentParser
import DragboardClient

/// `dragboard rename`.
struct Rename: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Change the file name of a row.",
    discussion: """
      EXAMPLES:
        dragboard rename 3 report.pdf
        dragboard rename 3 ''
      """)

  @Argument(help: .row)
  var row: RowName
  @Argument(help: ArgumentHelp("The new name; '' for none.", valueName: "name"))
  var name: String
  @OptionGroup var board: BoardOptions
  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try runEdit(on: connection, board, having: [row], notice) { board in
      try await board.setName(of: try await RowFinder(board).item(row), to: name)
    }
  }
}
