import ArgumentParser
import DragboardClient

/// `dragboard drop`.
struct Drop: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop", abstract: "Drop a drag: on a board, into a folder, or to standard output.",
    discussion: """
      Without a number the latest drag is meant. On a board it prints the ids of the rows; a drag of the board's own \
      rows by the same application (--as) moves them. Into a folder each item becomes a new file, \
      whose path is printed. The source suggests its name: a '.' or '-' at the beginning becomes \
      '_', as does '/', what is invisible is removed, and if the name exists, it gets a number. \
      What is forbidden or cancelled is exit code 77.

      EXAMPLES:
        dragboard drop
        dragboard drop 12 --to later:0 --as org.example.Mail
        dragboard drop --into ~/Downloads
        dragboard drop --stdout --type text/plain
      """)

  @OptionGroup var session: SessionArgument
  @Option(help: .place)
  var to: Place?
  @Option(
    help: ArgumentHelp("Write each item to a file in this folder.", valueName: "folder"),
    completion: .directory)
  var into: String?
  @Flag(help: "Write all items to standard output.")
  var stdout = false
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The type to load, or a pattern such as image/* (the best there is).", valueName: "type"),
    completion: .typesOfDrag)
  var type: String?
  @Flag(help: "Ask to move, not to copy.")
  var move = false
  @OptionGroup var identity: IdentityOptions
  @OptionGroup var board: BoardOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard !(stdout && into != nil), to == nil || !isOwnDrop else {
      throw ValidationError("--to, --into and --stdout exclude each other.")
    }
    guard into != "" else { throw ValidationError("--into needs a folder.") }
    guard isOwnDrop || type == nil && !move else {
      throw ValidationError(
        "--type and --move are for --into and --stdout; a board decides itself.")
    }
  }

  /// Whether this command is the destination itself.
  private var isOwnDrop: Bool { stdout || into != nil }

  func run() throws {
    try run(on: connection, isInterruptible: true) { dragboard in
      let session = try await self.session.find(on: dragboard)
      let progress = ProgressFollower(session)
      try await progress.follow {
        if isOwnDrop { try await take(session) } else { try await drop(session, on: dragboard) }
      }
    }
  }

  private func drop(
    _ session: DragSession, on dragboard: DragboardConnection
  ) async throws {
    let board = try await dragboard.board(named: board.board)
    let (section, row) = try await RowFinder(board).position(
      of: to)
    let result = try await board.dropTarget.perform(
      session.id, inSection: section, at: row, as: identity.identity)
    if output.json {
      try Console.writeLine([
        "operation": .string(result.operation.rawValue), "items": JSON(texts: result.items),
      ])
    } else {
      try Console.write(result.items.map { "\($0)\n" }.joined())
    }
    guard result.operation.transfers else { throw CommandError.notDropped(result.operation) }
  }

  private func take(_ session: DragSession) async throws {
    // A drag can be taken once: check everything before.
    let directory = try into.map { path throws(Failure) in try Directory(path) }
    if let type, try await !session.canLoad(ContentType(type)) {
      throw CommandError(
        .notFound, "no item of the drag has the type \(type)",
        remedy: "'dragboard types --session \(session.id)' shows the types.")
    }
    let drop = try await session.accept(move ? .move : .copy, as: identity.identity)
    guard drop.granted.transfers else { throw CommandError.notDropped(drop.granted) }
    let receiver = DropReceiver(
      drop, type: type.map { ContentType($0) } ?? .any, directory: directory, isJSON: output.json)
    try await receiver.receiveAll()
    try await drop.finish()
  }
}

extension CommandError {
  fileprivate static func notDropped(_ operation: DropOperation) -> CommandError {
    operation == .forbidden
      ? CommandError(
        .refused,
        """
        the drop is forbidden: the drag is for its own application alone, or has nothing that is accepted there, or more \
        than there is room for
        """,
        remedy: """
          'dragboard board set NAME' says what a board accepts with --accept TYPE, and how many rows it may have \
          with --max-rows COUNT.
          """)
      : CommandError(.refused, "the drop was cancelled; nothing was done")
  }
}
