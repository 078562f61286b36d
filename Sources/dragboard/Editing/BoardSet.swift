import ArgumentParser
import DragboardClient

/// `dragboard board set`.
struct BoardSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change the settings of a board.",
    discussion: """
      A board with --retain-rows or --retain-for deletes its oldest rows, now and when rows are added. If rows are \
      deleted now, the command asks before; in a script it needs --yes, and otherwise prints the number of rows and \
      changes nothing. 'dragboard undo' restores the rows that are deleted now, and the setting. Rows that are deleted \
      later cannot be restored. Pinned and locked rows stay. --max-rows deletes no rows.

      EXAMPLES:
        dragboard board set clips --retain-rows 1000 --retain-for 30d
        dragboard board set clips --moves-duplicates
      """)

  @Argument(
    help: ArgumentHelp("Name of the board.", valueName: "name"), completion: .boards)
  var name: String
  @Option(
    help: ArgumentHelp(
      "A type that the board accepts in drops, or a pattern such as text/*; can be repeated.",
      valueName: "type"),
    completion: .typePatterns)
  var accept: [String] = []
  @Flag(help: "Accept no drops.")
  var acceptNothing = false
  @Option(
    help: ArgumentHelp("Maximum number of rows; 0 for the daemon's limit.", valueName: "rows"))
  var maxRows: Int?
  @Flag(
    inversion: .prefixedNo, help: "Whether a drag of several rows within the board may move them.")
  var movesMultipleRows: Bool?
  @Option(help: ArgumentHelp("Number of rows to retain; 0 for all rows.", valueName: "rows"))
  var retainRows: Int?
  @Option(
    help: ArgumentHelp(
      "Time to retain a row, such as 90s, 15m, 12h, 30d or 8w; 0 for no limit.", valueName: "time"))
  var retainFor: RetainedTime?
  @Flag(
    inversion: .prefixedNo,
    help: "Move an existing row with the same content, instead of adding another one.")
  var movesDuplicates: Bool?
  @Flag(name: .shortAndLong, help: "Delete rows without a question.")
  var yes = false
  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard UInt32(exactly: maxRows ?? 0) != nil else {
      throw ValidationError("--max-rows: \(maxRows ?? 0) is out of range (0…\(UInt32.max))")
    }
    guard UInt32(exactly: retainRows ?? 0) != nil else {
      throw ValidationError("--retain-rows: \(retainRows ?? 0) is out of range (0…\(UInt32.max))")
    }
    guard accept.isEmpty || !acceptNothing else {
      throw ValidationError("--accept: cannot be used with --accept-nothing")
    }
    let setsSize = maxRows != nil || retainRows != nil || retainFor != nil
    let setsMoves = movesMultipleRows != nil || movesDuplicates != nil
    guard !accept.isEmpty || acceptNothing || setsSize || setsMoves else {
      throw ValidationError("Nothing to set (expected at least one option)")
    }
  }

  func run() throws {
    try run(on: connection) { dragboard in
      let board = try await dragboard.board(named: name)
      try await confirmDeletion(from: board)
      let notice = try await EditNotice(of: board, notice)
      if !accept.isEmpty || acceptNothing {
        try await board.settings.setAcceptedTypes(accept.map { ContentType($0) })
      }
      if let maxRows { try await board.settings.setMaxRows(maxRows) }
      if let movesMultipleRows { try await board.settings.setMovesMultipleRows(movesMultipleRows) }
      if let movesDuplicates { try await board.settings.setMovesDuplicates(movesDuplicates) }
      if let retainRows { try await board.settings.setRetainedRows(retainRows) }
      if let retainFor {
        try await board.settings.setRetainedTime(.seconds(Int64(retainFor.seconds)))
      }
      await notice?.report()
    }
  }
}

extension BoardSet {
  /// Asks the user whether the rows that the settings delete may be deleted.
  ///
  /// - Throws: `CommandError` if the user does not agree, or if there is no terminal.
  private func confirmDeletion(from board: Board) async throws {
    guard !yes, retainRows != nil || retainFor != nil else { return }
    let preview = try await RetentionPreview(
      of: board, rows: retainRows, seconds: retainFor.map { Int64($0.seconds) })
    guard preview.deleted > 0 else { return }
    let rows = "\(preview.deleted) of \(Amounts.count(preview.count, "row")) of the board '\(name)'"
    guard Console.isInteractive else {
      throw CommandError(
        .refused, "the setting would delete \(rows); nothing has changed",
        remedy: "To delete them: \(confirmedCall)")
    }
    guard Question.ask("Delete \(rows)? 'dragboard undo' can restore them.", default: false) else {
      throw CommandError(.refused, "nothing has changed")
    }
  }

  /// This call with `--yes`.
  private var confirmedCall: SuggestedCall {
    var options = accept.map { SuggestedCall.Option("--accept", $0) }
    if acceptNothing { options.append("--accept-nothing") }
    if let maxRows { options.append(.init("--max-rows", "\(maxRows)")) }
    if let movesMultipleRows {
      options.append(movesMultipleRows ? "--moves-multiple-rows" : "--no-moves-multiple-rows")
    }
    if let retainRows { options.append(.init("--retain-rows", "\(retainRows)")) }
    if let retainFor { options.append(.init("--retain-for", retainFor.text)) }
    if let movesDuplicates {
      options.append(movesDuplicates ? "--moves-duplicates" : "--no-moves-duplicates")
    }
    return SuggestedCall("board set", [name], options + ["--yes"], hasBoard: false)
  }
}

/// The time for which a board retains rows: a number and a unit, such as `30d`.
struct RetainedTime: ExpressibleByArgument, Sendable {
  private static let units: [Character: UInt32] = [
    "s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800,
  ]

  let seconds: UInt32
  /// The time as the user wrote it.
  let text: String

  /// Parses an argument; nil if it is malformed or more than `UInt32.max` seconds.
  init?(argument: String) {
    text = argument
    guard argument != "0" else {
      seconds = 0
      return
    }
    guard let last = argument.last, let unit = Self.units[last],
      argument.dropLast().allSatisfy({ $0.isASCII && $0.isNumber }),
      let number = UInt32(argument.dropLast())
    else { return nil }
    let (seconds, isTooLong) = number.multipliedReportingOverflow(by: unit)
    guard !isTooLong else { return nil }
    self.seconds = seconds
  }
}
