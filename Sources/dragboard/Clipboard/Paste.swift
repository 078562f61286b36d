import ArgumentParser
import DragboardClient

struct Paste: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paste",
    abstract: "Write the latest copy to standard output, or add it to a board.",
    discussion: """
      The latest copy is the first row of the board 'clipboard' that the clipboard bridge or another program without a \
      sandbox inserted. The bridge must run: see 'dragboard clipboard'. If the output is a terminal, only text is \
      written, with a line feed at the end.

      EXAMPLES:
        dragboard paste
        dragboard paste --type image/png > picture.png
        dragboard paste --onto default
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The type to write, or a pattern such as image/* (default: plain text if the copy has it, otherwise the best type).",
      valueName: "type"),
    completion: .types)
  var type: String?
  @Option(
    help: ArgumentHelp(
      "The board to which the copy is added as the last row, with all types.", valueName: "board"),
    completion: .boards)
  var onto: String?
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard type == nil || onto == nil else {
      throw ValidationError("--type: cannot be used with --onto")
    }
    guard !output.json || onto != nil else {
      throw ValidationError("--json: needs --onto")
    }
  }

  func run() throws {
    try run(on: connection, isInterruptible: true) { dragboard in
      // This fails if the bridge does not run. In this case no row is the latest copy.
      let info = try await dragboard.clipboard.info()
      guard let (copy, board) = try await Self.latestCopy(on: dragboard) else {
        throw CommandError(
          .refused, "no copy is stored",
          remedy: info.isPaused
            ? "To store copies again: \(SuggestedCall("clipboard resume", hasBoard: false))" : nil)
      }
      if let onto {
        let target = try await dragboard.board(named: onto)
        return try output.print(try await target.insert(copy, of: board))
      }
      let best = copy.types.contains(.plainText) ? ContentType.plainText : .any
      try await board.write(
        copy.id, as: type.map { ContentType($0) } ?? best, named: "the latest copy",
        remedy: "To write it to a file: \(SuggestedCall("paste", [], typeOption)) > FILE")
    }
  }

  private var typeOption: [SuggestedCall.Option] { type.map { [.init("--type", $0)] } ?? [] }

  /// Returns the first row that the bridge or another unsandboxed client inserted.
  ///
  /// A sandboxed client could insert a row above the latest copy, and the user would paste it into
  /// a shell.
  private static func latestCopy(
    on dragboard: isolated DragboardConnection
  ) async throws(DragboardError) -> (Row, Board)? {
    do throws(DragboardError) {
      let board = try await dragboard.board(named: ClipboardBridge.boardName)
      var pages = BoardPages(board, sections: 0..<1)
      while let page = try await pages.page() {
        if let row = page.rows.first(where: { $0.isFromClipboard || $0.source.isEmpty }) {
          return (row, board)
        }
      }
    } catch  where error.reason == .noSuchBoard {}
    return nil
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
    return try await insert(
      contents, attributes: row.attributes, isFromClipboard: row.isFromClipboard)
  }
}
