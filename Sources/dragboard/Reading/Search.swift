import ArgumentParser
import DragboardClient

struct Search: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Show the rows whose text contains all given words.",
    discussion: """
      Case and accents are ignored. The last word also matches longer words that begin with it. If no row is found, the \
      exit code is 66.

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
        throw CommandError(.notFound, "no row contains all words: \(words.joined(separator: " "))")
      }
      var listing = Listing.ofRows(output)
      try listing.print(try await board.rows(items, sections: names))
    }
  }
}

extension Board {
  /// Returns the rows with their positions, in the order of `items`.
  ///
  /// Omits rows that were deleted meanwhile.
  func rows(_ items: [ItemID], sections: [String]) async throws(DragboardError) -> [PlacedRow] {
    var rows: [PlacedRow] = []
    for item in items {
      guard let (row, position) = try await find(item) else { continue }
      rows.append(PlacedRow(row, at: position, in: sections))
    }
    return rows
  }

  /// Returns a row and its position; nil if the row was deleted or moved meanwhile.
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
