import ArgumentParser
import DragboardClient

struct ViewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "view", abstract: "Open views of a board, and select rows in them.",
    discussion: """
      A view stores the edit mode and the selection of one application on a board. It stays until it is closed or the \
      daemon restarts.

      EXAMPLES:
        dragboard view open --as org.example.Shelf
        dragboard view select 1 3
        dragboard view editing 1 on
        dragboard view reselect 1
      """,
    subcommands: [
      ViewList.self, ViewOpen.self, ViewShow.self, ViewSelect.self, ViewDeselect.self,
      ViewEditing.self,
      ViewReselect.self, ViewSet.self, ViewClose.self,
    ], defaultSubcommand: ViewList.self)
}

struct ViewOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("Number of the view.", valueName: "number"), completion: .views)
  var view: UInt64
  @OptionGroup var connection: ConnectionOptions

  func find(on dragboard: DragboardConnection) -> BoardView {
    BoardView(ViewID(view), on: dragboard)
  }
}

struct ViewOpen: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open a view, and print its number.")

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("The application that opens the view.", valueName: "application"))
  var application: String
  @OptionGroup var board: BoardOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection, board) { board in
      let view = try await board.openView(as: Application(application))
      guard output.json else { return try Console.writeLine("\(view.id)") }
      try Console.writeLine(["view": JSON(view.id.number)])
    }
  }
}

struct ViewShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the ids of the rows that are selected in a view.")

  @OptionGroup var view: ViewOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    try run(on: view.connection) { dragboard in
      let info = try await view.find(on: dragboard).info()
      guard output.json else {
        return try Console.write(info.selection.map { "\($0)\n" }.joined())
      }
      try Console.writeLine(info.json(of: ViewID(view.view)))
    }
  }
}

struct ViewSelect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "select", abstract: "Select rows in a view that is not in edit mode.")

  @OptionGroup var view: ViewOptions
  @Argument(help: .rows, completion: .rowsOfView)
  var rows: [RowName]

  func run() throws {
    try run(on: view.connection) { dragboard in
      let view = view.find(on: dragboard)
      let board = Board(try await view.info().board, on: dragboard)
      try await view.select(try await RowFinder(board).items(rows))
    }
  }
}

struct ViewDeselect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deselect", abstract: "Clear the selection of a view and its anchor.")

  @OptionGroup var view: ViewOptions

  func run() throws {
    try run(on: view.connection) { dragboard in try await view.find(on: dragboard).deselect() }
  }
}

struct ViewEditing: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "editing", abstract: "Enter or leave edit mode; entering clears the selection.")

  enum Mode: String, ExpressibleByArgument, CaseIterable {
    case on, off
  }

  @OptionGroup var view: ViewOptions
  @Argument(help: "on or off.")
  var mode: Mode

  func run() throws {
    try run(on: view.connection) { dragboard in
      try await view.find(on: dragboard).setEditing(mode == .on)
    }
  }
}

struct ViewReselect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reselect",
    abstract: "Select the anchor's row or its successor, and print the id.",
    discussion: """
      The anchor is the topmost row of the latest selection. If it was deleted, select the row that is now at its \
      position, or the nearest row. --prepare and --commit do this in two steps. If there is no row to select, print \
      nothing.
      """)

  @OptionGroup var view: ViewOptions
  @Flag(help: "Only determine the row, and do not select it.")
  var prepare = false
  @Flag(help: "Select the row that --prepare determined.")
  var commit = false

  func validate() throws {
    guard !(prepare && commit) else {
      throw ValidationError("--prepare: cannot be used with --commit")
    }
  }

  func run() throws {
    try run(on: view.connection) { dragboard in
      let view = view.find(on: dragboard)
      let item =
        if prepare { try await view.prepareReselection() } else if commit {
          try await view.commitReselection()
        } else { try await view.reselect() }
      if let item { try Console.writeLine("\(item)") }
    }
  }
}

struct ViewSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set whether several rows can be selected at once.")

  @OptionGroup var view: ViewOptions
  @Flag(inversion: .prefixedNo, help: "Whether several rows can be selected at once.")
  var multiple: Bool

  func run() throws {
    try run(on: view.connection) { dragboard in
      try await view.find(on: dragboard).setAllowsMultipleSelection(multiple)
    }
  }
}

struct ViewClose: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "close", abstract: "Close a view.")

  @OptionGroup var view: ViewOptions

  func run() throws {
    try run(on: view.connection) { dragboard in try await view.find(on: dragboard).close() }
  }
}
