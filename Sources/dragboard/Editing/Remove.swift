import ArgumentParser
import DragboardClient

/// `dragboard remove`.
struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Delete all given rows, or none of them.",
    discussion: """
      'dragboard undo' restores the rows.

      EXAMPLES:
        dragboard remove 3
        dragboard remove 0 errands:2
      """, aliases: ["rm"])

  @Argument(help: .rows)
  var rows: [RowName]
  @OptionGroup var board: BoardOptions
  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try runEdit(on: connection, board, having: rows, notice) { board in
      try await board.delete(try await RowFinder(board).items(rows))
    }
  }
}

/// `dragboard clear`.
struct Clear: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Delete every row that is neither pinned nor locked.",
    discussion: """
      The sections stay. 'dragboard undo' restores the rows, unless they were erased with --erase. --erase also erases \
      the files that the shelf has copied for drags of these rows.

      EXAMPLES:
        dragboard clear --board work
        dragboard clear --erase --board clipboard
      """)

  @Flag(help: "Also clear the undo history, and erase the deleted rows from the disk.")
  var erase = false
  @OptionGroup var board: BoardOptions
  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    guard erase else {
      return try runEdit(on: connection, board, notice) { _ = try await $0.clear() }
    }
    try run(on: connection, board) { board in
      _ = try await board.erase()
      try await ExportedFiles.erase(on: board.connection)
    }
  }
}
