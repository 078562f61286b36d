import ArgumentParser
import DragboardClient

/// `dragboard import`.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Create a board from an archive that 'export' wrote.",
    discussion: """
      The rows get new ids and a new age, as rows that this command adds. Everything else is as it was exported. \
      If the archive is damaged, or the import is interrupted, the new board is \
      deleted permanently; if another program has edited it meanwhile, 'dragboard board restore' restores it.

      The files of the archive have to be in the order of board.json. An unpacked archive can be packed again: \
      tar --format=pax --sort=name -cf FILE board.json contents.

      EXAMPLES:
        dragboard import notes.tar
        dragboard import notes.tar --name restored
        zstd -dc work.tar.zst | dragboard import -
      """)

  @Argument(
    help: ArgumentHelp("The archive; - for standard input.", valueName: "file"),
    completion: .file())
  var file: FilePath
  @Option(
    help: ArgumentHelp(
      "Name of the new board (default: the exported name, with a number if it is taken).",
      valueName: "name"))
  var name: String?
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection, isInterruptible: true) { dragboard in
      let input = file.text == "-" ? InputFile.standard : try InputFile(path: file.text)
      let archive = try ArchiveReader(input)
      let (name, rows) = try await BoardImport(archive, on: dragboard).run(as: name)
      guard !output.json else {
        return try Console.writeLine(["name": .string(name), "rows": JSON(rows)])
      }
      try Console.writeLine(TerminalText("\(name): \(Amounts.count(rows, "row"))").text)
      let command = "dragboard list --board \(ShellWord.quoted(name))"
      try Console.writeLine(TerminalText("Show the rows: \(command)").text)
    }
  }
}
