import ArgumentParser
import DragboardClient

struct Get: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Write a row to standard output or to a file, or rows into a directory.",
    discussion: """
      A terminal gets text only, with a line feed at its end; --force writes any bytes to it. Files and pipes get \
      the bytes as they are.

      Into a directory, each row becomes a new file with its name and modification time, and the paths are \
      printed; without rows, the whole board. Names are made safe, and numbered if they exist, as by 'dragboard \
      drop --into'.

      EXAMPLES:
        dragboard get 3
        dragboard get 3 --type text/html > page.html
        dragboard get later:0 --output picture.png
        dragboard get 0 2 --into ~/Documents
        dragboard get --board work --into .
      """)

  @Argument(help: .rows)
  var rows: [RowName] = []
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The type, or a pattern such as image/* (the best there is).", valueName: "type"),
    completion: .typesOfRow)
  var type: String?
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write (standard output).", valueName: "file"),
    completion: .file())
  var output: FilePath?
  @Option(
    help: ArgumentHelp("Directory for a new file of each row.", valueName: "directory"),
    completion: .directory)
  var into: FilePath?
  @Flag(help: "Write to a terminal even if it is not text.")
  var force = false
  @Flag(help: "Print the paths of --into as JSON, one object to a line.")
  var json = false
  @OptionGroup var board: BoardOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard into?.text != "" else { throw ValidationError("--into needs a directory.") }
    guard into == nil || output == nil && !force else {
      throw ValidationError("--into excludes --output and --force.")
    }
    guard into != nil || !json else { throw ValidationError("--json is for --into.") }
    guard into != nil || rows.count == 1 else {
      throw ValidationError(
        rows.isEmpty
          ? "row: missing (the whole board needs --into)" : "row: more than one needs --into")
    }
  }

  func run() throws {
    try run(on: connection, board, having: rows, isInterruptible: true) { board in
      if let into {
        try await write(to: try Directory(into.text), from: board)
      } else {
        for row in rows { try await write(row, of: board) }
      }
    }
  }

  private var wanted: ContentType { type.map { ContentType($0) } ?? .any }

  private func write(_ row: RowName, of board: Board) async throws {
    let item = try await RowFinder(board).item(row)
    try await board.write(
      item, as: wanted, to: output?.text, isForced: force, named: row.text,
      remedy: "Write it to a file: dragboard get \(row.text) --output FILE")
  }
}

extension Get {
  /// Writes the rows, or all rows of the board, to new files.
  private func write(to directory: Directory, from board: Board) async throws {
    guard rows.isEmpty else {
      let finder = RowFinder(board)
      // A row that does not exist is found before the first file is written.
      var found: [Row] = []
      for name in rows { found.append(try await finder.row(name).row) }
      return try await write(found, after: 0, to: directory, from: board)
    }
    var pages = BoardPages(board, sections: 0..<(try await board.info().sections.count))
    var count = 0
    while let page = try await pages.page() {
      try await write(page.rows, after: count, to: directory, from: board)
      count += page.rows.count
    }
  }

  private func write(
    _ rows: [Row], after count: Int, to directory: Directory, from board: Board
  ) async throws {
    for (number, row) in zip((count + 1)..., rows) {
      let file = try await board.file(of: row.id, as: wanted)
      let name =
        FileName(suggested: row.attributes.name)
        ?? FileName(numbered: number, of: row.types.first ?? .data)
      let path = try await directory.write(file, as: name, modified: row.attributes.modified)
      let line: JSON = ["id": JSON(text: row.id), "path": .string(path)]
      try Console.writeLine(json ? line.description : TerminalText(path).text)
    }
  }
}
