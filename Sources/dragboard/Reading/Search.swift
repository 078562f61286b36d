import ArgumentParser
import DragboardClient

struct Search: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Show the rows whose text has all of the words.",
    discussion: """
      Case and accents do not matter; the last word may be the beginning of one. If nothing is found, the exit code \
      is 66.

      EXAMPLES:
        dragboard search call gar
      """)

  @Argument(help: ArgumentHelp("The words.", valueName: "word"))
  var words: [String]
  @Option(help: ArgumentHelp("Maximum number of rows.", valueName: "rows"))
  var count = 100
  @OptionGroup var board: BoardOptions
  @OptionGroup var output: ListingOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard count > 0 else { throw ValidationError("--count: \(count) is not positive") }
  }

  func run() throws {
    try run(on: connection, board) { board in
      let names = try await board.info().sections
      let items = try await board.search(words.joined(separator: " "), limit: count)
      guard !items.isEmpty else {
        throw CommandError(.notFound, "no row has all of: \(words.joined(separator: " "))")
      }
      var listing = Listing.ofRows(output)
      try listing.print(try await board.rows(items, sections: names))
    }
  }
}

extension Board {
  /// Returns the rows with their positions, in that order, without rows that were deleted
  /// meanwhile.
  func rows(_ items: [ItemID], sections: [String]) async throws(DragboardError) -> [PlacedRow] {
    var rows: [PlacedRow] = []
    for item in items {
      guard let (row, position) = try await find(item) else { continue }
      rows.append(PlacedRow(row, at: position, in: sections))
    }
    return rows
  }

  /// A row and its position; nil if it was deleted meanwhile.
  func find(_ item: ItemID) async throws(DragboardError) -> (
    row: Row, position: RowPosition
  )? {
    do throws(DragboardError) {
      let position = try await position(of: item)
      let row = try await row(at: position)
      return row.id == item ? (row, position) : nil
    } catch  where error.reason == .noSuchItem { return nil }
  }
}
