import ArgumentParser
import DragboardClient

struct Drag: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drag", abstract: "Begin a drag, and wait until it is dropped.",
    discussion: """
      Drag texts, files, rows of a board, or the output of a command. The command runs only when a destination loads it. \
      --also adds a type to an item: TYPE=TEXT, TYPE=@FILE or TYPE=!COMMAND. Give the best type first; the item's own \
      type comes last. --link drags references to files or directories. Put -- before a text that begins with a hyphen.

      Print the number of the drag, and at the end its outcome. The exit code is 0 if the items were copied or moved, \
      and 77 if the drag was cancelled. Ctrl-C cancels the drag. The drag stays active as long as the command waits; if 'dragboard \
      drop' accepts it and then finds the disk full, it begins again with a new number. With \
      --detach and --as, the command returns at once, and the drag can be dropped later; it ends if it is not used during \
      the daemon's session timeout, by default ten minutes ('dragboard status' shows it). The daemon then stores all bytes, so the output of a command cannot be dragged.

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

  @Argument(help: ArgumentHelp("Texts; each becomes an item.", valueName: "text"))
  var texts: [String] = []
  @Option(
    name: .shortAndLong, parsing: .upToNextOption,
    help: ArgumentHelp("Files, or - for standard input; each becomes an item.", valueName: "file"),
    completion: .file())
  var file: [FilePath] = []
  @Flag(help: "Drag standard input as one item.")
  var stdin = false
  @Flag(help: "Drag references to the files, not their bytes.")
  var link = false
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Rows of the board to drag; not together with other items.", valueName: "row"))
  var row: [RowName] = []
  @Option(
    help: ArgumentHelp(
      "A command whose output is an item; it runs when the item is loaded.", valueName: "command"))
  var exec: String?
  @Option(
    help: ArgumentHelp(
      "An additional type of the only item; can be repeated.", valueName: "type=source"))
  var also: [Alternative] = []
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Type of the files, of --stdin and of --exec (default: the type of the name or of the bytes).",
      valueName: "type"),
    completion: .types)
  var type: String?
  @Option(help: ArgumentHelp("Suggested file name of the only item.", valueName: "name"))
  var name: String?
  @Option(help: "Applications that may load the items.")
  var visibility = Visibility.all
  @Flag(help: "Do not allow a drop to move the rows.")
  var noMove = false
  @Flag(help: "Allow only the application of --as to accept the drop.")
  var restricted = false
  @Flag(help: "Return at once; the drag stays available.")
  var detach = false
  @Option(
    help: ArgumentHelp(
      "Drag to add the items to; print the index of the first new item, and return at once.",
      valueName: "number"), completion: .sessions)
  var addTo: UInt64?
  @OptionGroup var identity: IdentityOptions
  @OptionGroup var board: BoardOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    let items = texts.count + file.count + (exec == nil ? 0 : 1) + (stdin ? 1 : 0)
    guard items > 0 || !row.isEmpty || !also.isEmpty || addTo != nil && (noMove || restricted)
    else {
      throw ValidationError(
        "Nothing to drag (expected texts, --file, --stdin, --row, --exec or --also)")
    }
    guard !stdin || !link && !file.contains(where: { $0.text == "-" }) else {
      throw ValidationError("--stdin: cannot be used with --link or --file -")
    }
    guard !link || !file.isEmpty && type == nil else {
      throw ValidationError("--link: needs --file, and cannot be used with --type")
    }
    guard row.isEmpty || items == 0 && also.isEmpty && name == nil else {
      throw ValidationError("--row: cannot be used with texts, --file, --exec, --also or --name")
    }
    guard also.isEmpty && name == nil || items <= 1 else {
      throw ValidationError("--also, --name: too many items (at most 1)")
    }
    guard addTo == nil || row.isEmpty && !detach else {
      throw ValidationError("--add-to: cannot be used with --row or --detach")
    }
    guard !detach || identity.application != nil else {
      throw ValidationError("--detach: needs --as (otherwise the drag ends with this command)")
    }
    guard isStaying || exec == nil && !also.contains(where: \.isPromise) else {
      let option = detach ? "--detach" : "--add-to"
      throw ValidationError(
        "\(option): cannot be used with a command as a source (dragboard exits before the drop)")
    }
  }

  /// Whether the command waits until the drag ends.
  private var isStaying: Bool { !detach && addTo == nil }

  func run() throws {
    TextArguments.warnOfFiles(texts, "drag")
    let commands = PromisedCommands()
    defer { commands.end() }
    try run(on: connection, isInterruptible: true) { dragboard in
      if let addTo {
        return try await add(to: DragSession(SessionID(addTo), on: dragboard), commands)
      }
      let items = row.isEmpty ? try await items(commands, for: dragboard.daemon) : []
      let loads = PromisedLoads(try await SizeLimit(of: dragboard.daemon))
      while true {
        let drag = try await begin(loads.watched(items), on: dragboard)
        try await setFlags(of: drag.session)
        let reporter = DragReporter(drag.session.id, isJSON: output.json)
        let timeout = try await SessionTimeout(of: dragboard.daemon)
        try reporter.reportBeginning(endingAfter: isStaying ? nil : timeout)
        reporter.reportNextSteps(endingAfter: isStaying ? nil : timeout)
        guard isStaying else { return }
        let outcome = try await timeout.keepActive(drag.session) {
          try await wait(for: drag, reporter)
        }
        guard outcome.isReturned else {
          return try reporter.reportEnd(outcome, failure: loads.failure)
        }
        try reporter.reportReturn()
      }
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
    _ items: [DragItem], on dragboard: isolated DragboardConnection
  ) async throws -> ActiveDrag {
    guard row.isEmpty else {
      let board = try await board.find(on: dragboard, having: row)
      return try await board.beginDrag(
        of: try await RowFinder(board).items(row), as: identity.identity)
    }
    return try await dragboard.beginDrag(items, as: identity.identity)
  }

  private func items(
    _ commands: PromisedCommands, for daemon: DragboardDaemon
  ) async throws -> [DragItem] {
    try DragItems(
      texts: texts, files: (stdin ? ["-"] : []) + file.map(\.text), areLinks: link,
      command: exec, type: type, name: name, by: commands, try await SizeLimit(of: daemon),
      isPromising: isStaying
    ).items(also: also, name: name, visibility: visibility)
  }

  /// Waits for the end of the drag.
  ///
  /// If the task is cancelled, it cancels the drag.
  private func wait(
    for drag: ActiveDrag, _ reporter: DragReporter
  ) async throws -> ActiveDrag.Outcome {
    do throws(DragboardError) { return try await drag.outcome { reporter.report($0) } } catch {
      guard error.reason == .cancelled else { throw error }
      await uncancelled { try? await drag.session.cancel() }
      throw error
    }
  }
}

/// Runs `body` to its end, even if the current task was cancelled.
func uncancelled(_ body: @escaping @Sendable () async -> Void) async {
  await Task { await body() }.value
}
