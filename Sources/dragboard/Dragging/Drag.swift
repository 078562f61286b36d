import ArgumentParser
import DragboardClient

struct Drag: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drag", abstract: "Begin a drag, and wait until it is dropped.",
    discussion: """
      Drag texts, files, rows of a board, or the output of a command, which runs only when somebody loads it. \
      --also gives an item further types: TYPE=TEXT, TYPE=@FILE or TYPE=!COMMAND, the most faithful first, \
      before the item's own type. --link drags references to files or directories. A text that begins with a \
      hyphen comes after --.

      Print the number of the drag, and at the end its outcome: copied or moved is exit code 0, cancelled is 77. \
      Ctrl-C cancels the drag. --detach leaves it to be dropped later, under the name of --as; the daemon then \
      stores all of it, so no command can be promised.

      EXAMPLES:
        dragboard drag 'Call the garage'
        dragboard drag --file report.pdf notes.txt
        dragboard drag --link --file ~/Videos
        dragboard drag --row 3 4 --as org.example.Notes
        dragboard drag 'bold' --also 'text/html=<b>bold</b>'
        dragboard drag --exec 'tar -c .' --type application/x-tar --name project.tar
        dragboard drag --detach --as org.example.Notes 'Buy stamps'
        dragboard drag --add-to 12 --file list.txt
      """)

  @Argument(help: ArgumentHelp("Texts, an item each.", valueName: "text"))
  var texts: [String] = []
  @Option(
    name: .shortAndLong, parsing: .upToNextOption,
    help: ArgumentHelp("Files, an item each.", valueName: "file"),
    completion: .file())
  var file: [FilePath] = []
  @Flag(help: "Drag references to the files, not their bytes.")
  var link = false
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Rows of the board, without anything else.", valueName: "row"))
  var row: [RowName] = []
  @Option(
    help: ArgumentHelp(
      "A command whose output is an item, made when it is loaded.", valueName: "command"))
  var exec: String?
  @Option(
    help: ArgumentHelp(
      "A further type of the one item; can be given again.", valueName: "type=source"))
  var also: [Alternative] = []
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Type of the files and of --exec (by the extension; bytes).", valueName: "type"),
    completion: .types)
  var type: String?
  @Option(help: ArgumentHelp("Suggested file name of the one item.", valueName: "name"))
  var name: String?
  @Option(help: "Applications that may load the items.")
  var visibility = Visibility.all
  @Flag(help: "Forbid a drop to move the rows.")
  var noMove = false
  @Flag(help: "Let the application of --as alone take the drop.")
  var restricted = false
  @Flag(help: "Return at once; the drag stays available.")
  var detach = false
  @Option(
    help: ArgumentHelp(
      "Number of a drag to add the items to; print the index of the first and return at once.",
      valueName: "number"), completion: .sessions)
  var addTo: UInt64?
  @OptionGroup var identity: IdentityOptions
  @OptionGroup var board: BoardOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    let items = texts.count + file.count + (exec == nil ? 0 : 1)
    guard items > 0 || !row.isEmpty || !also.isEmpty || addTo != nil && (noMove || restricted)
    else {
      throw ValidationError("Nothing to drag: give texts, --file, --row, --exec or --also.")
    }
    guard !link || !file.isEmpty && type == nil else {
      throw ValidationError("--link is for --file, and excludes --type.")
    }
    guard row.isEmpty || items == 0 && also.isEmpty && name == nil else {
      throw ValidationError("Rows are dragged as they are: --row goes with no other item.")
    }
    guard also.isEmpty && name == nil || items <= 1 else {
      throw ValidationError("--also and --name are of one item; give no more than one.")
    }
    guard addTo == nil || row.isEmpty && !detach else {
      throw ValidationError("--add-to goes with neither --row nor --detach.")
    }
    guard !detach || identity.application != nil else {
      throw ValidationError("--detach needs --as: a drag of this command alone ends with it.")
    }
    guard isStaying || exec == nil && !also.contains(where: \.isPromise) else {
      let option = detach ? "--detach" : "--add-to"
      throw ValidationError("\(option) and a command exclude each other: nobody would run it.")
    }
  }

  /// Whether the command is there until the drop.
  private var isStaying: Bool { !detach && addTo == nil }

  func run() throws {
    TextArguments.warnOfFiles(texts, "drag")
    let commands = PromisedCommands()
    defer { commands.end() }
    try run(on: connection, isInterruptible: true) { dragboard in
      if let addTo {
        return try await add(to: DragSession(SessionID(addTo), on: dragboard), commands)
      }
      let drag = try await begin(on: dragboard, commands)
      try await setFlags(of: drag.session)
      let reporter = DragReporter(drag.session.id, isJSON: output.json)
      try reporter.reportBeginning()
      reporter.reportNextSteps(isStaying: isStaying)
      if isStaying { try await stay(with: drag, reporter) }
    }
  }

  private func setFlags(of session: DragSession) async throws {
    if noMove { try await session.setAllowsMove(false) }
    if restricted { try await session.setRestrictedToApplication(true) }
  }

  private func add(to session: DragSession, _ commands: PromisedCommands) async throws {
    let items = try await items(commands, for: session.connection.daemon)
    if !items.isEmpty {
      let first = try await session.add(items)
      let json: JSON = [
        "session": JSON(session.id.number), "first": JSON(first), "count": JSON(items.count),
      ]
      try Console.writeLine(output.json ? json.description : "\(first)")
    }
    try await setFlags(of: session)
  }

  private func begin(
    on dragboard: isolated DragboardConnection, _ commands: PromisedCommands
  ) async throws -> ActiveDrag {
    guard row.isEmpty else {
      let board = try await board.find(on: dragboard, having: row)
      return try await board.beginDrag(
        of: try await RowFinder(board).items(row), as: identity.identity)
    }
    let items = try await items(commands, for: dragboard.daemon)
    return try await dragboard.beginDrag(items, as: identity.identity)
  }

  private func items(
    _ commands: PromisedCommands, for daemon: DragboardDaemon
  ) async throws -> [DragItem] {
    try DragItems(
      texts: texts, files: file.map(\.text), areLinks: link, command: exec, type: type,
      by: commands, try await SizeLimit(of: daemon), isPromising: isStaying
    ).items(also: also, name: name, visibility: visibility)
  }

  /// Waits for the end; an interruption cancels the drag.
  private func stay(with drag: ActiveDrag, _ reporter: DragReporter) async throws {
    do {
      let outcome = try await drag.outcome { reporter.report($0) }
      try reporter.reportEnd(outcome)
    } catch let error as DragboardError where error.reason == .cancelled {
      await uncancelled { try? await drag.session.cancel() }
      throw error
    }
  }
}

/// Does something though the task was cancelled.
func uncancelled(_ body: @escaping @Sendable () async -> Void) async {
  await Task { await body() }.value
}
