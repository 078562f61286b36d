import ArgumentParser
import DragboardClient

struct Search: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Show the rows whose text contains all given words.",
    discussion: """
      Case and accents are ignored. The last word also matches longer words that begin with it. --all searches every board, \
      and prints the name of the board before each row. If no row is found, the exit code is 66.

      EXAMPLES:
        dragboard search call gar
        dragboard search --all garage
      """)

  @Argument(help: ArgumentHelp("The words.", valueName: "word"))
  var words: [String]
  @Option(help: ArgumentHelp("Maximum number of rows.", valueName: "rows"))
  var count = 100
  @Flag(help: "Search all boards.")
  var all = false
  @OptionGroup var board: BoardOptions
  @OptionGroup var output: ListingOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard count > 0 else { throw ValidationError("--count: \(count) is not positive") }
    guard !all || board.name == nil else {
      throw ValidationError("--all: cannot be used with --board")
    }
  }

  func run() throws {
    // Rows are printed on another thread than the connection's, while the next rows are read.
    try run(on: connection) { dragboard in
      try await withTaskExecutorPreference(globalConcurrentExecutor) {
        try await search(on: dragboard)
      }
    }
  }

  @concurrent private func search(on dragboard: DragboardConnection) async throws {
    var listing = Listing.ofRows(output, onSeveralBoards: all)
    var left = count
    if all {
      for (board, info) in try await dragboard.boards() where left > 0 {
        left -= try await search(board, info, left, &listing)
      }
    } else {
      let board = try await board.find(on: dragboard)
      left -= try await search(board, try await board.info(), left, &listing)
    }
    guard left < count else {
      throw CommandError(.notFound, "no row contains all words: \(words.joined(separator: " "))")
    }
  }

  /// Prints the rows that are found on a board; returns their number.
  private func search(
    _ board: Board, _ info: BoardInfo, _ limit: Int, _ listing: inout Listing
  ) async throws -> Int {
    let items = try await board.search(words.joined(separator: " "), limit: limit)
    guard !items.isEmpty else { return 0 }
    var listed = listing
    try await board.forEachPage(of: items, amongRows: info.count, sections: info.sections) { rows in
      try listed.print(rows, ofBoard: all ? info.name : nil)
    }
    listing = listed
    return items.count
  }
}

extension Board {
  /// The number of rows that are read one after the other.
  ///
  /// More rows are read in pages.
  private static let maxSingleCount = 16
  /// The number of other rows between two rows that are read in the same page.
  private static let maxGap = 32
  private static let pageCount = 1_000

  /// Calls `body` with the rows and their positions, in the order of the board, in several parts.
  ///
  /// Omits rows that were deleted or moved meanwhile.
  ///
  /// - Parameters:
  ///   - items: the rows.
  ///   - count: the number of rows of the board. If most of them are wanted, reading all of them
  ///     takes less time than reading the order of the board first.
  ///   - sections: the names of the board's sections.
  ///   - body: the function.
  /// - Throws: the errors of `body`; `DragboardError`.
  func forEachPage(
    of items: [ItemID], amongRows count: Int = .max, sections: [String],
    _ body: ([PlacedRow]) throws -> Void
  ) async throws {
    guard items.count <= count / 2 else {
      return try await forEachPage(sections: sections, of: Set(items), body)
    }
    guard items.count > Self.maxSingleCount else {
      var rows: [PlacedRow] = []
      for item in items {
        guard let (row, position) = try await find(item) else { continue }
        rows.append(PlacedRow(row, at: position, in: sections))
      }
      return try body(rows)
    }
    let wanted = Set(items)
    let pages = try await snapshot().sections.enumerated().flatMap { section, all in
      Self.pages(of: wanted, in: all.items).map { (section: section, range: $0) }
    }
    guard let first = pages.first else { return }
    var rows = try await rows(ofSection: first.section, in: first.range)
    for (page, following) in zip(pages, pages.dropFirst().map(Optional.some) + [nil]) {
      // The next rows are read while `body` uses these rows.
      async let next = self.rows(
        ofSection: following?.section ?? page.section, in: following?.range ?? 0..<0)
      try body(
        rows.enumerated().compactMap { index, row in
          guard wanted.contains(row.id) else { return nil }
          let position = RowPosition(section: page.section, row: page.range.lowerBound + index)
          return PlacedRow(row, at: position, in: sections)
        })
      rows = try await next
    }
  }

  /// Reads all rows, and calls `body` with the wanted ones.
  private func forEachPage(
    sections: [String], of wanted: Set<ItemID>, _ body: ([PlacedRow]) throws -> Void
  ) async throws {
    let all = BoardPages(self, sections: 0..<sections.count)
    var (page, pages) = try await all.reading(Self.pageCount)
    while let current = page {
      let rest = pages
      async let next = rest.reading(Self.pageCount)
      try body(current.placed(sections).filter { wanted.contains($0.row.id) })
      (page, pages) = try await next
    }
  }

  /// Returns the rows, or fewer if the section has become shorter.
  private func rows(
    ofSection section: Int, in range: Range<Int>
  ) async throws(DragboardError) -> [Row] {
    var rows: [Row] = []
    while rows.count < range.count {
      do throws(DragboardError) {
        let page = try await page(
          ofSection: section, from: range.lowerBound + rows.count, count: range.count - rows.count)
        guard !page.rows.isEmpty else { break }
        rows += page.rows
      } catch  where error.reason == .invalidArguments { break }
    }
    return rows
  }

  /// Returns the ranges of a section that contain all wanted rows, with few others in between.
  private static func pages(of wanted: Set<ItemID>, in items: [ItemID]) -> [Range<Int>] {
    var pages: [Range<Int>] = []
    for (index, item) in items.enumerated() where wanted.contains(item) {
      if let last = pages.last, index - last.upperBound <= maxGap,
        index - last.lowerBound < pageCount
      {
        pages[pages.count - 1] = last.lowerBound..<(index + 1)
      } else {
        pages.append(index..<(index + 1))
      }
    }
    return pages
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
