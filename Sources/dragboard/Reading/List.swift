import ArgumentParser
import DragboardClient

struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the rows of a board.",
    discussion: """
      On a terminal, print a table with each row's position, text (⏎ if it has more lines), types, age, the beginning of \
      its id, and marks: p for pinned, l for locked, f for a locked position. Other commands accept the position and \
      the id. In a pipe, print one line for each row: position, id, types, marks, time and text, separated by tabs. For a \
      row without text, the text is its name or type in brackets.

      EXAMPLES:
        dragboard list
        dragboard list --board work --section later
        dragboard list --from errands:10 --count 20
        dragboard list --table | less
        dragboard list --json | jq -r .id
      """, aliases: ["ls"])

  @OptionGroup var board: BoardOptions
  @Option(help: ArgumentHelp("The only section to show.", valueName: "name"), completion: .sections)
  var section: String?
  @Option(help: ArgumentHelp("Position of the first row to show.", valueName: "position"))
  var from = PositionArgument(section: nil, row: 0)
  @Option(help: ArgumentHelp("Maximum number of rows.", valueName: "rows"))
  var count: Int?
  @OptionGroup var output: ListingOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard count ?? 0 >= 0 else { throw ValidationError("--count: \(count ?? 0) is negative") }
    guard section == nil || from.section == nil else {
      throw ValidationError("--from: names a section, too (omit --section)")
    }
  }

  func run() throws {
    // Rows are printed on another thread than the connection's, while the next rows are read.
    try run(on: connection, board) { board in
      try await withTaskExecutorPreference(globalConcurrentExecutor) { try await show(board) }
    }
  }

  @concurrent private func show(_ board: Board) async throws {
    let names = try await board.info().sections
    let first = try SectionNames(names).index(of: section ?? from.section)
    let range = first..<(section == nil ? names.count : first + 1)
    // A position without a row, such as `errands:`, is the end of the section.
    var pages = BoardPages(board, sections: range, from: from.row ?? .max, count: count ?? .max)
    var listing = Listing.ofRows(output)
    let firstCount = max(Console.lines, 50)
    var isEmpty = true
    // The first rows of several sections determine the layout of the table together.
    var rows: [PlacedRow] = []
    var page: BoardPages.Page?
    (page, pages) = try await pages.reading(firstCount)
    while let current = page {
      current.append(to: &rows, names)
      let isShort = isEmpty && rows.count < firstCount
      let rest = pages
      async let next = rest.reading(isShort ? firstCount : 1_000)
      if !isShort {
        try listing.print(rows)
        rows = []
        isEmpty = false
      }
      (page, pages) = try await next
    }
    if !rows.isEmpty {
      try listing.print(rows)
    } else if isEmpty, count != 0 {
      try reportEmptiness(section.map { _ in names[first] })
    }
  }
}

extension List {
  /// Reports an empty board on a terminal, where an empty table could look like an error.
  private func reportEmptiness(_ section: String?) throws(Failure) {
    guard Console.isTerminal, !output.json else { return }
    let part = section.map { "section '\($0)' of the board '\(board.board)'" }
    let end = from.row.map { $0 > 0 } ?? true ? " from this position on" : ""
    let words = part ?? "board '\(board.board)'"
    try Console.writeLine(TerminalText("The \(words) has no rows\(end).").text)
  }
}

extension BoardPages.Page {
  func placed(_ names: [String]) -> [PlacedRow] {
    var placed: [PlacedRow] = []
    append(to: &placed, names)
    return placed
  }

  /// Appends the rows with their positions.
  func append(to placed: inout [PlacedRow], _ names: [String]) {
    placed.reserveCapacity(placed.count + rows.count)
    for (index, row) in rows.enumerated() {
      placed.append(
        PlacedRow(row, at: RowPosition(section: section, row: first + index), in: names))
    }
  }
}
