import ArgumentParser
import DragboardClient

/// `dragboard section`.
struct SectionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "section", abstract: "List and edit the sections of a board.",
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

/// The argument that names a section.
struct SectionArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The name of the section, or its index, counted from 0.", valueName: "section"),
    completion: .sections)
  var section: String

  /// Returns the index of the section.
  func index(on board: Board) async throws -> Int {
    try SectionNames(try await board.info().sections).index(of: section)
  }
}

/// `dragboard section list`.
struct SectionList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the sections.")

  @OptionGroup var board: BoardOptions
  @OptionGroup var output: ListingOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection, board) { board in
      let snapshot = try await board.snapshot()
      var listing = Listing(
        [.number("SECTION"), "NAME", .number("ROWS")], output)
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
    commandName: "add", abstract: "Create a section.")

  @Argument(help: ArgumentHelp("Name of the section.", valueName: "name"))
  var name: String
  @Option(help: ArgumentHelp("Index of the new section (default: the end).", valueName: "number"))
  var at: Int?
  @OptionGroup var board: BoardOptions
  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try runEdit(on: connection, board, notice) { board in
      guard try await !board.info().sections.contains(name) else {
        throw CommandError.taken(name)
      }
      try await board.sections.insert(named: name, at: at)
    }
  }
}

extension CommandError {
  /// The error for the name of another section.
  fileprivate static func taken(_ name: String) -> CommandError {
    CommandError(
      .refused, "\(name): is the name of another section",
      remedy: "To list the sections: \(SuggestedCall("section list"))")
  }
}

/// `dragboard section rename`.
struct SectionRename: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename a section.")

  @OptionGroup var section: SectionArgument
  @Argument(help: ArgumentHelp("New name of the section.", valueName: "name"))
  var name: String
  @OptionGroup var board: BoardOptions
  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try runEdit(on: connection, board, notice) { board in
      let names = try await board.info().sections
      let index = try SectionNames(names).index(of: section.section)
      guard names[index] == name || !names.contains(name) else { throw CommandError.taken(name) }
      try await board.sections.rename(at: index, to: name)
    }
  }
}

/// `dragboard section move`.
struct SectionMove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move a section with its rows.", aliases: ["mv"])

  @OptionGroup var section: SectionArgument
  @Option(help: ArgumentHelp("New index of the section, counted from 0.", valueName: "number"))
  var to: Int
  @OptionGroup var board: BoardOptions
  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try runEdit(on: connection, board, notice) { board in
      try await board.sections.move(from: try await section.index(on: board), to: to)
    }
  }
}

/// `dragboard section remove`.
struct SectionRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Delete a section and its rows.", aliases: ["rm"])

  @OptionGroup var section: SectionArgument
  @OptionGroup var board: BoardOptions
  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try runEdit(on: connection, board, notice) { board in
      try await board.sections.delete(at: try await section.index(on: board))
    }
  }
}
