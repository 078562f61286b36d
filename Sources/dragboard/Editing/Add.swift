import ArgumentParser
import DragboardClient
import DragboardInterface

/// `dragboard add`.
struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add rows to a board: texts, standard input, files.",
    discussion: """
      Prints the ids of the new rows. A file is a row of its type, which its name tells; the rows are one edit \
      for all texts, and one for each file. A text that begins with a hyphen comes after --.

      At most 256 MiB are read from a pipe or a device; what is larger goes through a regular file. \
      --lines takes at most 1,000,000 lines, and 64 MiB of them.

      EXAMPLES:
        dragboard add 'Call the garage' 'Buy stamps'
        dragboard add --at 0 'First of all'
        ls | dragboard add --lines --at later:
        dragboard add --file picture.png --file notes.txt
        curl -s https://example.org | dragboard add --stdin --type text/html
      """)

  @Argument(help: ArgumentHelp("Texts, a row each.", valueName: "text"))
  var texts: [String] = []
  @Flag(help: "Standard input as one row.")
  var stdin = false
  @Flag(help: "Standard input, a row for each line.")
  var lines = false
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A file as a row; can be given again.", valueName: "file"),
    completion: .file())
  var file: [String] = []
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "What files and --stdin are (by the file's name; plain text).", valueName: "type"),
    completion: .types)
  var type: String?
  @Option(help: .place)
  var at: Place?
  @OptionGroup var board: BoardOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard !(stdin && lines) else {
      throw ValidationError("--stdin and --lines exclude each other.")
    }
    guard !texts.isEmpty || stdin || lines || !file.isEmpty else {
      throw ValidationError("Nothing to add: give texts, --stdin, --lines or --file.")
    }
    guard type == nil || stdin || !file.isEmpty else {
      throw ValidationError("--type is for --file and --stdin; texts are plain text.")
    }
  }

  func run() throws {
    try run(on: connection, board, isInterruptible: true) { board in
      let (section, first) = try await RowFinder(board).position(
        of: at)
      var row = first
      func place(_ items: [ItemID]) throws {
        row = row.map { $0 + items.count }
        for item in items { try output.print(item) }
      }
      let texts = texts + (lines ? try Input.lines() : [])
      for start in stride(from: 0, to: texts.count, by: BoardInterface.maxListCount) {
        let some = Array(texts[start...].prefix(BoardInterface.maxListCount))
        try place(try await board.insert(some, inSection: section, at: row))
      }
      if stdin {
        let input = try Input.standard()
        let type = type.map { ContentType($0) } ?? .plainText
        try place([try await board.insert(input, as: type, inSection: section, at: row)])
      }
      let bar = ProgressBar("storing")
      for path in file {
        let input = try Input.file(path)
        let type = type.map { ContentType($0) } ?? FileType.of(path)
        if input.isLarge { bar.show(path) }
        try place([try await board.insert(input, as: type, inSection: section, at: row)])
      }
    }
  }
}

extension Board {
  /// Inserts a row with the input.
  func insert(
    _ input: Input, as type: ContentType, inSection section: Int, at row: Int?
  ) async throws(DragboardError) -> ItemID {
    switch input {
    case .bytes(let bytes):
      try await insert(bytes, as: type, inSection: section, at: row)
    case .file(let file):
      try await insert(file, as: type, inSection: section, at: row)
    }
  }
}
