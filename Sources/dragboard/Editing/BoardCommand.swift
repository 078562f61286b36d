import ArgumentParser
import DragboardClient

/// `dragboard board`.
struct BoardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "board", abstract: "List, create, rename, delete, restore and configure boards.",
    discussion: """
      EXAMPLES:
        dragboard board add work
        dragboard board show work
        dragboard board set work --accept 'text/*' --accept image/png --max-rows 500
        dragboard board set clips --retain-rows 1000 --retain-for 30d
        dragboard board set clips --moves-duplicates
        dragboard board remove work
        dragboard board restore work
      """,
    subcommands: [
      BoardList.self, BoardShow.self, BoardAdd.self, BoardRename.self, BoardRemove.self,
      BoardRestore.self, BoardSet.self,
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
