import ArgumentParser
import DragboardClient

/// A command that clears a flag of rows, `isMovable` or `isEditable`, or sets it again.
private protocol FlagCommand: ParsableCommand, Sendable {
  var rows: [RowName] { get }
  /// Whether the flag is set.
  var off: Bool { get }
  var board: BoardOptions { get }
  var connection: ConnectionOptions { get }

  /// Sets the flag of a row.
  static func set(
    _ flag: Bool, of item: ItemID, on board: Board
  ) async throws(DragboardError)
}

extension FlagCommand {
  func run() throws {
    try run(on: connection, board, having: rows) { board in
      for item in try await RowFinder(board).items(rows) {
        try await Self.set(off, of: item, on: board)
      }
    }
  }
}

/// `dragboard pin`.
struct Pin: FlagCommand {
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

  static func set(
    _ flag: Bool, of item: ItemID, on board: Board
  ) async throws(DragboardError) {
    try await board.setMovable(flag, of: item)
  }
}

/// `dragboard lock`.
struct Lock: FlagCommand {
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

  static func set(
    _ flag: Bool, of item: ItemID, on board: Board
  ) async throws(DragboardError) {
    try await board.setEditable(flag, of: item)
  }
}
