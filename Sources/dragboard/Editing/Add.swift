import ArgumentParser
import DragboardClient
import DragboardInterface

/// `dragboard add`.
struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add rows to a board from texts, standard input or files.",
    discussion: """
      Print the ids of the new rows. All rows are one edit: either all are added, or none. The extension of a file \
      determines the type of its row, which keeps the file's name and modification time. If several files are added, the board \
      must accept the type of each. --link adds a reference to a file or a directory, not the bytes. Put -- before a text that \
      begins with a hyphen.

      The daemon limits the size of a file and of standard input, by default to 256 MiB ('dragboard status' shows the \
      limit). --lines accepts at most 1,000,000 lines and 64 MiB.

      EXAMPLES:
        dragboard add 'Call the garage' 'Buy stamps'
        dragboard add --at 0 'First of all'
        ls | dragboard add --lines --at errands:
        dragboard add --file *.txt
        dragboard add --link --file ~/Videos/talk.webm
        curl -s https://example.org | dragboard add --stdin --type text/html
      """)

  @Argument(help: ArgumentHelp("Texts; each becomes a row.", valueName: "text"))
  var texts: [String] = []
  @Flag(help: "Add standard input as one row.")
  var stdin = false
  @Flag(help: "Add a row for each line of standard input.")
  var lines = false
  @Option(
    name: .shortAndLong, parsing: .upToNextOption,
    help: ArgumentHelp("Files; each becomes a row.", valueName: "file"),
    completion: .file())
  var file: [FilePath] = []
  @Flag(help: "Add references to the files, not their bytes.")
  var link = false
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Type of the files or of --stdin (default: the type of the extension, or plain text).",
      valueName: "type"),
    completion: .types)
  var type: String?
  @Option(help: .place)
  var at: PositionArgument?
  @OptionGroup var board: BoardOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard !(stdin && lines) else {
      throw ValidationError("--stdin: cannot be used with --lines")
    }
    guard !texts.isEmpty || stdin || lines || !file.isEmpty else {
      throw ValidationError("Nothing to add (expected texts, --stdin, --lines or --file)")
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
      let texts = texts + (lines ? try Input.lines() : [])
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
    if stdin { items.append(.input(try Input.standard(limit), path: nil, as: type ?? .plainText)) }
    let bar = ProgressBar("storing")
    for path in file.map(\.text) {
      if link {
        items.append(try .link(to: path))
        continue
      }
      let input = try Input.file(path, limit)
      if input.isLarge { bar.show(path) }
      items.append(.input(input, path: path, as: type ?? FileType.of(path)))
    }
    return items
  }
}
