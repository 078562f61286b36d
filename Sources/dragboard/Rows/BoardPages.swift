import DragboardClient

/// A reader of a board's rows, page by page.
///
/// So the first page of a large board appears at once.
///
/// If the board is edited between two pages, the next page begins after the last row that was read.
struct BoardPages {
  /// Consecutive rows of a section, and the index of the first row.
  struct Page {
    let section: Int
    let first: Int
    let rows: [Row]
    /// The revision at which the rows were read.
    let revision: UInt64
  }

  private let board: Board
  private let sections: Range<Int>
  private var section: Int
  private var next: Int
  private var left: Int
  private var last: (item: ItemID, revision: UInt64)?

  /// The default size of a page.
  private static let maxPageCount = 1_000

  /// Creates a reader that begins at row `first` of the first section in `sections`.
  init(_ board: Board, sections: Range<Int>, from first: Int = 0, count: Int = .max) {
    self.board = board
    self.sections = sections
    section = sections.lowerBound
    next = first
    left = count
  }

  /// Returns the next page, and a reader of the pages after it.
  ///
  /// A caller can print a page while the next one is read.
  func reading(_ count: Int) async throws(DragboardError) -> (page: Page?, rest: BoardPages) {
    var rest = self
    let page = try await rest.page(count: count)
    return (page, rest)
  }

  /// Reads the next page of at most `count` rows; nil after the last page.
  mutating func page(count: Int = maxPageCount) async throws(DragboardError) -> Page? {
    while sections.contains(section), left > 0 {
      let page = try await read(min(count, left))
      guard let row = page.rows.last else {
        (section, next, last) = (section + 1, 0, nil)
        continue
      }
      defer { next += page.rows.count }
      left -= page.rows.count
      last = (row.id, page.revision)
      return Page(section: section, first: next, rows: page.rows, revision: page.revision)
    }
    return nil
  }

  /// Reads the next rows of the section; no rows at its end.
  private mutating func read(_ count: Int) async throws(DragboardError) -> RowPage {
    do throws(DragboardError) {
      let page = try await board.page(ofSection: section, from: next, count: count)
      guard let last, last.revision != page.revision else { return page }
      try await follow(last.item)
      return try await board.page(ofSection: section, from: next, count: count)
    } catch  where error.reason == .invalidArguments {
      return RowPage(revision: 0, rows: [])
    }
  }

  /// After an edit, continues after the last row that was read.
  ///
  /// If this row was deleted, continues at the same index.
  private mutating func follow(_ item: ItemID) async throws(DragboardError) {
    do throws(DragboardError) {
      let position = try await board.position(of: item)
      guard position.section == section else { return }
      next = position.row + 1
    } catch  where error.reason == .noSuchItem { return }
  }
}
