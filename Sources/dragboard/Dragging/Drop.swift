import ArgumentParser
import DragboardClient

struct Drop: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop",
    abstract: "Drop a drag on a board, into a directory, or to standard output.",
    discussion: """
      Without a number, drop the latest drag; with --wait, wait for a drag. On a board, print the ids of the rows. If \
      the drag has rows of this board and the same application (--as) began it, the rows move. Into a directory, write each item \
      to a new file, and print its path. The source suggests the file's name. In the name, '_' replaces '/', and also '.' \
      or '-' at the beginning; invisible characters are removed. If the name exists, a number is added.

      If the drop is forbidden or cancelled, the exit code is 77. After a forbidden drop, the drag is still active. If \
      the disk has no room for the items, the exit code is 74, and the drag is still active, too. If the source does \
      not report the size of an item, such as the output of a command, and the disk becomes full, a drag of 'dragboard drag' \
      begins again with a new number.

      EXAMPLES:
        dragboard drop
        dragboard drop 12 --to errands:0 --as org.example.Mail
        dragboard drop --into ~/Downloads
        dragboard drop --wait --into .
        dragboard drop --stdout --type text/plain
      """)

  @OptionGroup var session: SessionArgument
  @Option(help: .place)
  var to: PositionArgument?
  @Option(
    help: ArgumentHelp("Directory in which each item becomes a new file.", valueName: "directory"),
    completion: .directory)
  var into: FilePath?
  @Flag(help: "Write all items to standard output.")
  var stdout = false
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The type to load, or a pattern such as image/* (default: the best type).", valueName: "type"),
    completion: .typesOfDrag)
  var type: String?
  @Flag(help: "Write to a terminal even if an item is not text.")
  var force = false
  @Flag(help: "Wait until a drag begins, if no drag is active.")
  var wait = false
  @Flag(help: "Request a move instead of a copy.")
  var move = false
  @OptionGroup var identity: IdentityOptions
  @OptionGroup var board: BoardOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard !(stdout && into != nil), to == nil || !isOwnDrop else {
      throw ValidationError("--to, --into, --stdout: more than one is given (at most 1)")
    }
    guard !wait || session.session == nil else {
      throw ValidationError("--wait: cannot be used with the number of a drag")
    }
    guard into?.text != "" else { throw ValidationError("--into: is empty (expected a directory)") }
    guard isOwnDrop || type == nil && !move else {
      throw ValidationError(
        "--type, --move: are only for --into and --stdout (a board chooses the types and the operation)"
      )
    }
  }

  /// Whether the destination is this command, not a board.
  private var isOwnDrop: Bool { stdout || into != nil }

  func run() throws {
    try run(on: connection, isInterruptible: true) { dragboard in
      let session =
        if wait { try await NextDrag.wait(on: dragboard) } else {
          try await self.session.find(on: dragboard)
        }
      let progress = ProgressFollower(session)
      try await progress.follow {
        if isOwnDrop { try await take(session) } else { try await drop(session, on: dragboard) }
      }
    }
  }

  private func drop(
    _ session: DragSession, on dragboard: DragboardConnection
  ) async throws {
    let board = try await self.board.find(on: dragboard)
    let (section, row) = try await RowFinder(board).position(of: to)
    let result = try await board.dropTarget.perform(
      session.id, inSection: section, at: row, as: identity.identity)
    if output.json {
      try Console.writeLine([
        "operation": .string(result.operation.rawValue), "items": JSON(texts: result.items),
      ])
    } else {
      try Console.write(result.items.map { "\($0)\n" }.joined())
    }
    switch result.operation {
    case .copy, .move: break
    case .cancel: throw CommandError(.refused, "the drop was cancelled; nothing has changed")
    case .forbidden:
      throw try await CommandError.forbidden(session, on: board, as: identity.identity)
    }
  }

  private func take(_ session: DragSession) async throws {
    // A drag can be accepted only once. So everything that can fail is checked before.
    let directory = try into.map { path throws(CommandError) in try OutputDirectory(path.text) }
    if let type, try await !session.canLoad(ContentType(type)) {
      throw CommandError(
        .notFound, "no item of the drag has the type \(type)",
        remedy: "To list the types: "
          + "\(SuggestedCall("types", [], [.init("--session", "\(session.id)")], hasBoard: false))")
    }
    if stdout, !force, Console.isTerminal { try await checkIsText(session) }
    let renewal = try await RenewedDrag(of: session)
    let sizes = try await session.loadedSizes(as: wanted)
    let reservation = try reserve(sizes, for: session, in: directory)
    let drop = try await session.accept(move ? .move : .copy, as: identity.identity)
    guard drop.granted.transfers else {
      throw CommandError.restricted(session, to: try await session.info().application)
    }
    let receiver = DropReceiver(
      drop, type: wanted, directory: directory, reservation: reservation, sizes: sizes,
      isJSON: output.json, isForced: force)
    do { try await receiver.receiveAll() } catch let failure as Failure {
      guard let directory, case .system(_, let code) = failure else { throw failure }
      throw await diskError(code, writingTo: directory, after: drop, renewal)
    }
    try await drop.finish()
  }

  /// Returns the error for a file that cannot be written.
  ///
  /// Ends the session. The source then begins the drag again if it can.
  private func diskError(
    _ code: Int32, writingTo directory: OutputDirectory, after drop: AcceptedDrop,
    _ renewal: RenewedDrag
  ) async -> CommandError {
    let words = "\(Failure.system(call: directory.path, code: code))"
    guard let session = await renewal.session(after: drop) else {
      return CommandError(.inputOutput, "\(words); the drag has ended")
    }
    return CommandError(
      .inputOutput, "\(words); the drag is active again, as drag \(session.id)",
      remedy: "To write the items elsewhere: \(call(into: session))")
  }
}

extension Drop {
  /// The type that the drop loads.
  private var wanted: ContentType { type.map { ContentType($0) } ?? .any }

  /// Reserves the space for the files of the items; nil if no files are written.
  ///
  /// - Throws: `CommandError` if the disk has no room. The drag is then still active.
  private func reserve(
    _ sizes: [Int], for session: DragSession, in directory: OutputDirectory?
  ) throws -> DiskReservation? {
    guard let directory else { return nil }
    do { return try DiskReservation(sizes, in: directory) } catch {
      throw CommandError(
        .inputOutput, "\(error); the drag \(session.id) is still active",
        remedy: "To write the items elsewhere: \(call(into: session))")
    }
  }

  /// Returns the call that writes the items to files.
  private func call(into session: DragSession) -> SuggestedCall {
    var options = [SuggestedCall.Option("--into", "DIRECTORY")]
    if let type { options.append(.init("--type", type)) }
    if move { options.append("--move") }
    if let application = identity.application { options.append(.init("--as", application)) }
    return SuggestedCall("drop", ["\(session.id)"], options, hasBoard: false)
  }

  /// Checks that the items are text before the drop, because a drag can be dropped only once.
  private func checkIsText(_ session: DragSession) async throws {
    let count = try await session.info().itemCount
    let types = try await ItemSummary(of: session, count: count).items.map(\.types)
    let isText = types.allSatisfy { types in
      (type.map { ContentType($0) } ?? types.first ?? .data).isText
    }
    guard isText else {
      throw CommandError(
        .refused, "--stdout: an item is not text, and the output is a terminal",
        remedy: "To write the items to files: \(call(into: session))")
    }
  }
}
