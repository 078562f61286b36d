import ArgumentParser
import DragboardClient

/// `dragboard board show`.
struct BoardShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a board with all its settings.",
    discussion: """
      EXAMPLES:
        dragboard board show work
      """)

  @Argument(
    help: ArgumentHelp("Name of the board (default: the board 'default').", valueName: "name"),
    completion: .boards)
  var name: String?
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      var options = BoardOptions()
      options.name = name
      let board = try await options.find(on: dragboard)
      let info = try await board.info()
      if output.json { return try Console.writeLine(info.json(board)) }
      for (fact, value) in Self.facts(of: info) {
        try Console.writeLine(
          Ink.standard.dim(TerminalText(fact).padded(to: 20)) + TerminalText(value).text)
      }
    }
  }

  private static func facts(of info: BoardInfo) -> [(String, String)] {
    [
      ("name", info.name), ("rows", "\(info.count)"),
      ("sections", info.sections.joined(separator: ", ")), ("revision", "\(info.revision)"),
      ("accept", info.acceptedTypes.map(\.rawValue).joined(separator: ", ")),
      ("max-rows", info.maxRows == 0 ? "the limit of the daemon" : "\(info.maxRows)"),
      ("moves-multiple-rows", info.movesMultipleRows ? "yes" : "no"),
      ("retain-rows", info.retainedRows == 0 ? "all" : "\(info.retainedRows)"),
      ("retain-for", info.retainedTime == .zero ? "ever" : Amounts.longWords(info.retainedTime)),
      ("moves-duplicates", info.movesDuplicates ? "yes" : "no"),
    ]
  }
}
