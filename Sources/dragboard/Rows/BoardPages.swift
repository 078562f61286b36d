import DragboardClient

/// The rows of a board, page by page, so that a screen of a large board is there at once.
///
/// Where others edit the board meanwhile it goes on behind the row that was read last.
struct BoardPages {
  /// Rows that follow on one another, and where the first stands.
  struct Page {
    let section: Int
    let first: Int
    let rows: [Row]
  }

  private let board: Board
  private let sections: Range<Int>
  private var section: Int
  private var next: Int
  private var left: Int
  private var last: (item: ItemID, revision: UInt64)?

  /// A page that fills a screen comes first; then they are larger.
  private static let maxPageCount = 1_000

  /// - Parameters:
  ///   - board: the board.
  ///   - sections: which of its sections.
  ///   - first: the first row of the first of them.
  ///   - count: how many rows at most.
  init(_ board: Board, sections: Range<Int>, from first: Int = 0, count: Int = .max) {
    self.board = board
    self.sections = sections
    section = sections.lowerBound
    next = first
    left = count
  }

  /// The next page, of at most `count` rows; nil at the end.
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
      return Page(section: section, first: next, rows: page.rows)
    }
    return nil
  }

  /// Rows from the next one on; none where the section ends before it.
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

  /// The board has changed: the next row is the one behind the last, wherever that is; where it is gone, the one in its place.
  private mutating func follow(_ item: ItemID) async throws(DragboardError) {
    do throws(DragboardError) {
      let position = try await board.position(of: item)
      guard position.section == section else { return }
      next = position.row + 1
    } catch  where error.reason == .noSuchItem { return }
  }
}
