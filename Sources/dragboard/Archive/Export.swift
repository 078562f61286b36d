import ArgumentParser
import DragboardClient

/// `dragboard export`.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write a board and all its contents to a tar archive.",
    discussion: """
      The archive has board.json, which describes the board, and then a file for each representation of a row, \
      with the row's modification time. It has all types, the order, names, sections, marks and settings. It appears when it \
      is complete: until then an earlier file stays, and a pipe gets nothing. Only you can read a new file. If the board changes \
      meanwhile, the export starts again.

      EXAMPLES:
        dragboard export --output notes.tar
        dragboard export --board work | zstd > work.tar.zst
        dragboard export | ssh host dragboard import -
        tar -tvf notes.tar
      """)

  @OptionGroup var board: BoardOptions
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write (default: standard output).", valueName: "file"),
    completion: .file())
  var output: FilePath?
  @Flag(help: "Write the archive even to a terminal.")
  var force = false
  @Flag(help: "Print JSON about the archive; needs --output.")
  var json = false
  @OptionGroup var connection: ConnectionOptions

  private var path: String? { output?.text == "-" ? nil : output?.text }

  func validate() throws {
    guard !json || path != nil else {
      throw ValidationError("--json: needs --output (the archive is written to standard output)")
    }
  }

  func run() throws {
    try run(on: connection, board, isInterruptible: true) { board in
      guard path != nil || !Console.isTerminal || force else {
        throw CommandError(
          .refused, "an archive is not text, and the output is a terminal",
          remedy:
            "To write it to a file: \(SuggestedCall("export", [], [.init("--output", "FILE")]))")
      }
      let result = try await BoardExport(board: board, output: try ExportFile(path)).run()
      guard json else { return }
      try Console.writeLine([
        "name": .string(result.name), "rows": JSON(result.rows), "bytes": JSON(result.byteCount),
      ])
    }
  }
}
