import ArgumentParser
import DragboardClient
import DragboardInterface

/// `dragboard add`.
struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add rows to a board from texts, standard input or files.",
    discussion: """
      Print the ids of the new rows. All rows are one edit: either all are added, or none. The name of a file \
      determines the type of its row; without a known name, its bytes do. The row keeps the name and the modification time. A text \
      that is not UTF-8 keeps its bytes, and is also stored as plain text. If several files are added, the board must accept \
      a type of each. --link adds a reference to a file or a directory, not the bytes. Put -- before a text that \
      begins with a hyphen, and after --file before such a file.

      The daemon limits the size of a file and of standard input, by default to 256 MiB ('dragboard status' shows the \
      limit). --lines accepts at most 1,000,000 lines and 64 MiB.

      EXAMPLES:
        dragboard add 'Call the garage' 'Buy stamps'
        dragboard add --at 0 'First of all'
        ls | dragboard add --lines --at errands:
        dragboard add --file *.txt
        dragboard add --link --file ~/Videos/talk.webm
        grim - | dragboard add --stdin --name screen.png
      """)

  @Argument(help: ArgumentHelp("Texts; each becomes a row.", valueName: "text"))
  var texts: [String] = []
  @Flag(help: "Add standard input as one row.")
  var stdin = false
  @Flag(help: "Add a row for each line of standard input.")
  var lines = false
  @Flag(
    help: "Add a row for each text of standard input; a null byte ends each text.")
  var null = false
  @Option(
    name: .shortAndLong, parsing: .upToNextOption,
    help: ArgumentHelp("Files, or - for standard input; each becomes a row.", valueName: "file"),
    completion: .file())
  var file: [FilePath] = []
  @Flag(help: "Add references to the files, not their bytes.")
  var link = false
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Type of the files or of --stdin (default: the type of the name or of the bytes).",
      valueName: "type"),
    completion: .types)
  var type: String?
  @Option(help: ArgumentHelp("Name of the only file or of --stdin.", valueName: "name"))
  var name: String?
  @Option(help: .place)
  var at: PositionArgument?
  @OptionGroup var board: BoardOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    let readers = [
      ("--stdin", stdin), ("--lines", lines), ("--null", null),
      ("--file -", file.contains { $0.text == "-" }),
    ].filter(\.1)
    guard readers.count <= 1 else {
      throw ValidationError("\(readers[0].0): cannot be used with \(readers[1].0)")
    }
    guard !texts.isEmpty || stdin || lines || null || !file.isEmpty else {
      throw ValidationError("Nothing to add (expected texts, --stdin, --lines, --null or --file)")
    }
    guard name == nil || file.count + (stdin ? 1 : 0) == 1 else {
      throw ValidationError("--name: needs --stdin or one file")
    }
    guard !link || !file.isEmpty && type == nil else {
      throw ValidationError("--link: needs --file, and cannot be used with --type")
    }
    guard type == nil || stdin || !file.isEmpty else {
      throw ValidationError("--type: needs --file or --stdin (texts are plain text)")
    }
  }

  func run() throws {
    TextArguments.warnOfFiles(texts, "add")
    try runEdit(on: connection, board, notice, isInterruptible: true) { board in
      let (section, row) = try await RowFinder(board).position(of: at)
      let texts =
        texts + (lines ? try Input.lines() : null ? try Input.nullSeparatedTexts() : [])
      let items = try await inputs(for: board.connection.daemon)
      if items.isEmpty {
        try await insert(texts, in: section, at: row, of: board)
      } else {
        let items = texts.map(InputItem.text) + items
        for id in try await board.insert(items, inSection: section, at: row) {
          try output.print(id)
        }
      }
    }
  }

  /// Inserts texts, in as few edits as the daemon's limit allows.
  private func insert(
    _ texts: [String], in section: Int, at row: Int?, of board: Board
  ) async throws {
    var row = row
    for start in stride(from: 0, to: texts.count, by: BoardInterface.maxListCount) {
      let some = Array(texts[start...].prefix(BoardInterface.maxListCount))
      let ids = try await board.insert(some, inSection: section, at: row)
      row = row.map { $0 + ids.count }
      for id in ids { try output.print(id) }
    }
  }

  /// Reads standard input and the files.
  private func inputs(for daemon: DragboardDaemon) async throws -> [InputItem] {
    guard stdin || !file.isEmpty else { return [] }
    let limit = try await SizeLimit(of: daemon)
    let type = type.map { ContentType($0) }
    var items: [InputItem] = []
    let bar = ProgressBar("storing")
    for path in (stdin ? ["-"] : []) + file.map(\.text) {
      if link, path != "-" {
        items.append(try .link(to: path))
        continue
      }
      let input = try Input.file(path, limit)
      if input.isLarge { bar.show(path == "-" ? "" : path) }
      items.append(
        try .input(input, path: path == "-" ? nil : path, named: name, as: type))
    }
    return items
  }
}
