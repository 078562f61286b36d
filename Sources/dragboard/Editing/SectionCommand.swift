import ArgumentParser
import DragboardClient

/// `dragboard section`.
struct SectionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "section", abstract: "Show and edit the sections of a board.",
    discussion: """
      EXAMPLES:
        dragboard section add later
        dragboard section move later --to 0
        dragboard section rename later done
      """,
    subcommands: [
      SectionList.self, SectionAdd.self, SectionRename.self, SectionMove.self, SectionRemove.self,
    ], defaultSubcommand: SectionList.self)
}

/// Which section is meant.
struct SectionArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The section: its name, or its number counted from 0.", valueName: "section"),
    completion: .sections)
  var section: String

  /// The index of the section.
  func index(on board: Board) async throws -> Int {
    try SectionNames(try await board.info().sections).index(of: section)
  }
}

/// `dragboard section list`.
struct SectionList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the sections.")

  @OptionGroup var board: BoardOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection, board) { board in
      let snapshot = try await board.snapshot()
      var listing = Listing(
        [.number("SECTION"), "NAME", .number("ROWS")], isJSON: output.json)
      try listing.print(snapshot.sections.enumerated().map(Self.entry))
    }
  }

  private static func entry(_ index: Int, _ section: BoardSnapshot.Section) -> Listing.Entry {
    let count = section.items.count
    return Listing.Entry(
      json: ["section": JSON(index), "name": .string(section.name), "rows": JSON(count)],
      cells: ["\(index)", section.name, "\(count)"])
  }
}

/// `dragboard section add`.
struct SectionAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Make a section.")

  @Argument(help: ArgumentHelp("What it is called.", valueName: "name"))
  var name: String
  @Option(help: ArgumentHelp("Where it stands (the end).", valueName: "number"))
  var at: Int?
  @OptionGroup var board: BoardOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection, board) { board in
      try await board.sections.insert(named: name, at: at)
    }
  }
}

/// `dragboard section rename`.
struct SectionRename: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give a section another name.")

  @OptionGroup var section: SectionArgument
  @Argument(help: ArgumentHelp("What it is called then.", valueName: "name"))
  var name: String
  @OptionGroup var board: BoardOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection, board) { board in
      try await board.sections.rename(at: try await section.index(on: board), to: name)
    }
  }
}

/// `dragboard section move`.
struct SectionMove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move a section, with its rows.", aliases: ["mv"])

  @OptionGroup var section: SectionArgument
  @Option(help: ArgumentHelp("Where it stands then, counted from 0.", valueName: "number"))
  var to: Int
  @OptionGroup var board: BoardOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection, board) { board in
      try await board.sections.move(from: try await section.index(on: board), to: to)
    }
  }
}

/// `dragboard section remove`.
struct SectionRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Delete a section, with its rows.", aliases: ["rm"])

  @OptionGroup var section: SectionArgument
  @OptionGroup var board: BoardOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection, board) { board in
      try await board.sections.delete(at: try await section.index(on: board))
    }
  }
}
