import ArgumentParser
import DragboardClient

/// `dragboard board`.
struct BoardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "board", abstract: "List, create, rename, delete, restore and configure boards.",
    discussion: """
      EXAMPLES:
        dragboard board add work
        dragboard board set work --accept 'text/*' --accept image/png --max-rows 500
        dragboard board set clips --retain-rows 1000 --retain-for 30d --moves-duplicates
        dragboard board remove work
        dragboard board restore work
      """,
    subcommands: [
      BoardList.self, BoardAdd.self, BoardRename.self, BoardRemove.self, BoardRestore.self,
      BoardSet.self,
    ], defaultSubcommand: BoardList.self)
}

/// `dragboard board add`.
struct BoardAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Create a board.")

  @Argument(help: ArgumentHelp("Name of the board.", valueName: "name"))
  var name: String
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in _ = try await dragboard.createBoard(named: name) }
  }
}

/// `dragboard board rename`.
struct BoardRename: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename a board.")

  @Argument(
    help: ArgumentHelp("Name of the board.", valueName: "name"), completion: .boards)
  var name: String
  @Argument(help: ArgumentHelp("New name of the board.", valueName: "new-name"))
  var newName: String
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      try await dragboard.renameBoard(named: name, to: newName)
    }
  }
}

/// `dragboard board remove`.
struct BoardRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Delete a board and all its rows.",
    discussion: "'dragboard board restore' restores the board with its rows.", aliases: ["rm"])

  @Argument(
    help: ArgumentHelp("Name of the board.", valueName: "name"), completion: .boards)
  var name: String
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      try await dragboard.deleteBoard(named: name)
      let deleted = (try? await dragboard.deletedBoards())?.first { $0.name == name }
      try Console.writeLine(TerminalText(Self.report(name, deleted)).text)
    }
  }

  private static func report(_ name: String, _ deleted: DeletedBoard?) -> String {
    guard let deleted else { return "Deleted board \"\(name)\"." }
    return "Deleted board \"\(name)\" with \(Amounts.count(deleted.count, "row")). "
      + "To restore it: \(SuggestedCall("board restore", [name], hasBoard: false))"
  }
}

/// `dragboard board restore`.
struct BoardRestore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore the board that was deleted last under a name.",
    discussion: """
      The board gets back its rows with their ids, its sections, its settings and its undo history.
      'dragboard board list --deleted' lists the boards that can be restored.
      """)

  @Argument(
    help: ArgumentHelp("Name of the deleted board.", valueName: "name"), completion: .deletedBoards)
  var name: String
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in _ = try await dragboard.restoreBoard(named: name) }
  }
}

/// `dragboard board set`.
struct BoardSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change the settings of a board.",
    discussion: """
      A board with --retain-rows or --retain-for deletes its oldest rows, now and when rows are added.
      `dragboard undo` restores the rows that are deleted now, and the setting. Rows that are deleted
      later cannot be restored. Pinned and locked rows stay.

      EXAMPLES:
        dragboard board set clips --retain-rows 1000 --retain-for 30d --moves-duplicates
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
    }
  }
}

/// The time for which a board retains rows: a number and a unit, such as `30d`.
struct RetainedTime: ExpressibleByArgument, Sendable {
  private static let units: [Character: UInt32] = [
    "s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800,
  ]

  let seconds: UInt32

  /// Parses an argument; nil if it is malformed or more than `UInt32.max` seconds.
  init?(argument: String) {
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
