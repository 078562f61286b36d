import ArgumentParser
import DragboardClient

/// `dragboard list`.
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the rows of a board.",
    discussion: """
      On a terminal a table: the row's place, which other commands take, its text, types, age, the \
      beginning of its id, and p for pinned, l for locked. In a pipe one line a row, not cut, with tabs \
      between place, id, types, marks, time and text.

      EXAMPLES:
        dragboard list
        dragboard list --board work --section later
        dragboard list --json | jq -r .id
      """, aliases: ["ls"])

  @OptionGroup var board: BoardOptions
  @Option(help: ArgumentHelp("Only this section.", valueName: "name"), completion: .sections)
  var section: String?
  @Option(help: ArgumentHelp("Begin at this row of the section.", valueName: "row"))
  var from = 0
  @Option(help: ArgumentHelp("Show at most so many rows.", valueName: "rows"))
  var count: Int?
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard from >= 0, count ?? 0 >= 0 else {
      throw ValidationError("--from and --count are 0 or more")
    }
  }

  func run() throws {
    try run(on: connection, board) { board in
      let names = try await board.info().sections
      let sections =
        if let section { try SectionNames(names).index(of: section) } else { 0 }
      let range = sections..<(section == nil ? names.count : sections + 1)
      var pages = BoardPages(board, sections: range, from: from, count: count ?? .max)
      var listing = Listing.ofRows(isJSON: output.json)
      var size = max(Console.lines, 50)
      while let page = try await pages.page(count: size) {
        try listing.print(page.placed(names))
        size = 1_000
      }
    }
  }
}

extension BoardPages.Page {
  /// The rows with their places.
  func placed(_ names: [String]) -> [PlacedRow] {
    rows.enumerated().map { index, row in
      PlacedRow(row, at: RowPosition(section: section, row: first + index), in: names)
    }
  }
}
