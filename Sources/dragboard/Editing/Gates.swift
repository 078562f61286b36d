import ArgumentParser
import DragboardClient

/// `dragboard pin`.
struct Pin: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pin", abstract: "Pin rows, so that they cannot be moved, or let them go.",
    discussion: """
      EXAMPLES:
        dragboard pin 0
        dragboard pin --off 0
      """)

  @Argument(help: .rows)
  var rows: [RowName]
  @Flag(help: "Let them be moved again.")
  var off = false
  @OptionGroup var board: BoardOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      let board = try await board.find(on: dragboard)
      for item in try await RowFinder(board).items(rows) {
        try await board.setMovable(off, of: item)
      }
    }
  }
}

/// `dragboard lock`.
struct Lock: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Lock rows, so that they can be neither changed nor deleted, or unlock them.",
    discussion: """
      EXAMPLES:
        dragboard lock 0
        dragboard lock --off 0
      """)

  @Argument(help: .rows)
  var rows: [RowName]
  @Flag(help: "Let them be changed and deleted again.")
  var off = false
  @OptionGroup var board: BoardOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      let board = try await board.find(on: dragboard)
      for item in try await RowFinder(board).items(rows) {
        try await board.setEditable(off, of: item)
      }
    }
  }
}
