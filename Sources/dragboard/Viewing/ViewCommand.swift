import ArgumentParser
import DragboardClient

struct ViewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "view", abstract: "Open views of a board, and select in them.",
    discussion: """
      A view is one client's edit mode and selection of a board. It is opened under an application's name and stays \
      until it is closed, or the daemon restarts.

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
  @Argument(help: ArgumentHelp("The view.", valueName: "number"), completion: .views)
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
    help: ArgumentHelp("The application that the view is of.", valueName: "application"))
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
    commandName: "show", abstract: "Show the ids of what is selected in a view.")

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
    commandName: "select", abstract: "Select rows in a view; refused in edit mode.")

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
    commandName: "deselect", abstract: "Select nothing in a view, and forget what was selected.")

  @OptionGroup var view: ViewOptions

  func run() throws {
    try run(on: view.connection) { dragboard in try await view.find(on: dragboard).deselect() }
  }
}

struct ViewEditing: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "editing", abstract: "Enter edit mode, which clears the selection, or leave it.")

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
    abstract: "Select in place of what was selected before, and print its id.",
    discussion: """
      That row, wherever it is now; where it is gone, the one that stands in its place. Without --prepare and \
      --commit it is worked out and selected at once. Prints nothing where there is nothing to select.
      """)

  @OptionGroup var view: ViewOptions
  @Flag(help: "Only work out what is to be selected.")
  var prepare = false
  @Flag(help: "Select what was worked out before.")
  var commit = false

  func validate() throws {
    guard !(prepare && commit) else {
      throw ValidationError("--prepare and --commit exclude each other.")
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
