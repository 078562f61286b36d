import ArgumentParser
import DragboardClient

struct Get: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Write a row to standard output or a file, or rows into a directory.",
    discussion: """
      If the output is a terminal, only text is written, with a line feed at the end; --force writes any bytes. To files and pipes, write \
      the bytes unchanged.

      With --into, write each row to a new file in the directory, with the row's name and modification time, and print \
      the paths. If no row is given, write all rows of the board. Names are made safe, and get a number if they exist, \
      as in 'dragboard drop --into'.

      EXAMPLES:
        dragboard get 3
        dragboard get 3 --type text/html > page.html
        dragboard get errands:0 --output picture.png
        dragboard get 0 2 --into ~/Documents
        dragboard get --board work --into .
      """)

  @Argument(help: .rows)
  var rows: [RowName] = []
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The type to write, or a pattern such as image/* (default: the best type).", valueName: "type"
    ),
    completion: .typesOfRow)
  var type: String?
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write (default: standard output).", valueName: "file"),
    completion: .file())
  var output: FilePath?
  @Option(
    help: ArgumentHelp("Directory in which each row becomes a new file.", valueName: "directory"),
    completion: .directory)
  var into: FilePath?
  @Flag(help: "Write to a terminal even if the row is not text.")
  var force = false
  @Flag(help: "Print the paths of --into as JSON, one object per line.")
  var json = false
  @OptionGroup var board: BoardOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard into?.text != "" else { throw ValidationError("--into: is empty (expected a directory)") }
    guard into == nil || output == nil && !force else {
      throw ValidationError("--into: cannot be used with --output or --force")
    }
    guard into != nil || !json else { throw ValidationError("--json: needs --into") }
    guard into != nil || rows.count == 1 else {
      throw ValidationError(
        rows.isEmpty
          ? "row: is missing (--into writes the whole board)"
          : "row: too many rows (at most 1 without --into)")
    }
  }

  func run() throws {
    try run(on: connection, board, having: rows, isInterruptible: true) { board in
      if let into {
        try await write(to: try OutputDirectory(into.text), from: board)
      } else {
        for row in rows { try await write(row, of: board) }
      }
    }
  }

  private var wanted: ContentType { type.map { ContentType($0) } ?? .any }

  private func write(_ row: RowName, of board: Board) async throws {
    let item = try await RowFinder(board).item(row)
    let types = type.map { [SuggestedCall.Option("--type", $0)] } ?? []
    let call = SuggestedCall("get", ["\(item)"], [.init("--output", "FILE")] + types)
    try await board.write(
      item, as: wanted, to: output?.text, isForced: force, named: row.text,
      remedy: "To write it to a file: \(call)")
  }
}

extension Get {
  /// Writes the rows, or all rows of the board, to new files.
  private func write(to directory: OutputDirectory, from board: Board) async throws {
    guard rows.isEmpty else {
      let finder = RowFinder(board)
      // All rows are looked up before the first file is written. So if a row does not exist, no
      // file is written.
      var found: [Row] = []
      for name in rows { found.append(try await finder.row(name).row) }
      return try await write(found, after: 0, to: directory, from: board)
    }
    var pages = BoardPages(board, sections: 0..<(try await board.info().sections.count))
    var count = 0
    while let page = try await pages.page() {
      let texts = try await texts(of: page, on: board)
      try await write(page.rows, texts, after: count, to: directory, from: board)
      count += page.rows.count
    }
  }

  /// Returns the short plain texts of a page, by the indexes of the rows; none if the board changes
  /// meanwhile.
  private func texts(of page: BoardPages.Page, on board: Board) async throws -> [Int: String] {
    guard type == nil else { return [:] }
    do throws(DragboardError) {
      let texts = try await PageTexts.read(
        page.rows, ofSection: page.section, from: page.first, on: board)
      guard !texts.isEmpty else { return [:] }
      return try await board.info().revision == page.revision ? texts : [:]
    } catch  where error.reason == .invalidArguments { return [:] }
  }

  private func write(
    _ rows: [Row], _ texts: [Int: String] = [:], after count: Int, to directory: OutputDirectory,
    from board: Board
  ) async throws {
    var lines = ""
    for (index, row) in rows.enumerated() {
      let name =
        FileName(suggested: row.attributes.name)
        ?? FileName(numbered: count + index + 1, of: row.types.first ?? .data)
      let path: String
      if let text = texts[index] {
        path = try directory.write(Array(text.utf8), as: name, row.attributes)
      } else {
        // Show the files that exist before a read that can take a while.
        try Console.write(lines)
        lines = ""
        path = try await directory.write(
          try await board.file(of: row.id, as: wanted), as: name, row.attributes)
      }
      let line: JSON = ["id": JSON(text: row.id), "path": .string(path)]
      lines += (json ? line.description : TerminalText(path).text) + "\n"
    }
    try Console.write(lines)
  }
}
