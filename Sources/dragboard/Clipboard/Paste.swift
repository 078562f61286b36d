import ArgumentParser
import DragboardClient

struct Paste: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paste",
    abstract: "Write the latest copy to standard output, or add it to a board.",
    discussion: """
      The latest copy is the first row of the board 'clipboard'. The clipboard bridge has to run: see 'dragboard \
      clipboard'. A terminal gets text only, with a line feed at its end.

      EXAMPLES:
        dragboard paste
        dragboard paste --type image/png > picture.png
        dragboard paste --onto default
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The type, or a pattern such as image/* (plain text, or else the best).", valueName: "type"),
    completion: .types)
  var type: String?
  @Option(
    help: ArgumentHelp(
      "The board that gets the copy as its last row, with all types.", valueName: "board"),
    completion: .boards)
  var onto: String?
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard type == nil || onto == nil else {
      throw ValidationError("--type and --onto exclude each other.")
    }
    guard !output.json || onto != nil else {
      throw ValidationError("--json is for --onto.")
    }
  }

  func run() throws {
    try run(on: connection, isInterruptible: true) { dragboard in
      // Without the bridge, the latest copy is an old one.
      _ = try await dragboard.clipboard.info()
      let (copy, board) = try await Self.latestCopy(on: dragboard)
      if let onto {
        let target = try await dragboard.board(named: onto)
        return try output.print(try await target.insert(copy, of: board))
      }
      let best = copy.types.contains(.plainText) ? ContentType.plainText : .any
      try await board.write(
        copy.id, as: type.map { ContentType($0) } ?? best, named: "the latest copy",
        remedy: "Write it to a file: dragboard paste > FILE")
    }
  }

  private static func latestCopy(
    on dragboard: isolated DragboardConnection
  ) async throws -> (Row, Board) {
    do {
      let board = try await dragboard.board(named: ClipboardBridge.boardName)
      if let row = try await board.page(count: 1).rows.first { return (row, board) }
    } catch  where error.reason == .noSuchBoard {}
    throw CommandError(.refused, "no copy is stored")
  }
}

extension Board {
  /// Inserts a copy of another board's row at the end, with all its types.
  fileprivate func insert(_ row: Row, of board: Board) async throws(DragboardError) -> ItemID {
    var contents: [(type: ContentType, content: RowBytes)] = []
    for type in row.types {
      let file = try await board.file(of: row.id, as: type)
      contents.append((type, .file(try SourceFile(descriptor: file.descriptor))))
    }
    return try await insert(contents, attributes: row.attributes)
  }
}
