import ArgumentParser
import DragboardClient

/// A command that sets or clears a flag of rows.
private protocol FlagCommand: ParsableCommand, Sendable {
  var options: FlagOptions { get }

  /// Sets or clears the flag of a row.
  func edit(_ item: ItemID, on board: Board) async throws(DragboardError)
}

/// The rows of a command that sets or clears a flag.
struct FlagOptions: ParsableArguments {
  @Argument(help: .rows)
  var rows: [RowName]
  @OptionGroup var board: BoardOptions
  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions
}

extension FlagCommand {
  func run() throws {
    try runEdit(on: options.connection, options.board, having: options.rows, options.notice) {
      board in
      for item in try await RowFinder(board).items(options.rows) {
        try await edit(item, on: board)
      }
    }
  }
}

/// `dragboard pin`.
struct Pin: FlagCommand {
  static let configuration = CommandConfiguration(
    commandName: "pin", abstract: "Pin rows, so that 'clear' does not delete them.",
    discussion: """
      Pinned rows can still be changed, moved and removed.

      EXAMPLES:
        dragboard pin 0
      """)

  @OptionGroup var options: FlagOptions

  func edit(_ item: ItemID, on board: Board) async throws(DragboardError) {
    try await board.setPinned(true, of: item)
  }
}

/// `dragboard unpin`.
struct Unpin: FlagCommand {
  static let configuration = CommandConfiguration(
    commandName: "unpin", abstract: "Unpin rows, so that 'clear' deletes them again.",
    discussion: """
      EXAMPLES:
        dragboard unpin 0
      """)

  @OptionGroup var options: FlagOptions

  func edit(_ item: ItemID, on board: Board) async throws(DragboardError) {
    try await board.setPinned(false, of: item)
  }
}

/// `dragboard lock`.
struct Lock: FlagCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock", abstract: "Lock rows, so that they can be neither changed nor deleted.",
    discussion: """
      EXAMPLES:
        dragboard lock 0
        dragboard lock --position 0
      """)

  @Flag(help: "Lock only the positions of the rows, so that they cannot be moved.")
  var position = false
  @OptionGroup var options: FlagOptions

  func edit(_ item: ItemID, on board: Board) async throws(DragboardError) {
    _ = try await position ? board.setMovable(false, of: item) : board.setEditable(false, of: item)
  }
}

/// `dragboard unlock`.
struct Unlock: FlagCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock", abstract: "Unlock rows, so that they can be changed and deleted again.",
    discussion: """
      EXAMPLES:
        dragboard unlock 0
        dragboard unlock --position 0
      """)

  @Flag(help: "Unlock only the positions of the rows, so that they can be moved again.")
  var position = false
  @OptionGroup var options: FlagOptions

  func edit(_ item: ItemID, on board: Board) async throws(DragboardError) {
    _ = try await position ? board.setMovable(true, of: item) : board.setEditable(true, of: item)
  }
}
