import ArgumentParser
import DragboardClient

/// `dragboard move`.
struct Move: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move rows to one position, in the given order.",
    discussion: """
      --to is the new position of the first moved row; it is counted without the moved rows.

      EXAMPLES:
        dragboard move 3 --to 0
        dragboard move 0 1 6f1c1d2e --to errands:
      """, aliases: ["mv"])

  @Argument(help: .rows)
  var rows: [RowName]
  @Option(help: .place)
  var to: PositionArgument
  @OptionGroup var board: BoardOptions
  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try runEdit(on: connection, board, having: rows, notice) { board in
      let finder = RowFinder(board)
      let (section, row) = try await finder.position(of: to)
      try await board.move(try await finder.items(rows), toSection: section, row: row)
    }
  }
}
