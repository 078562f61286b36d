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
  /// Whether the last page had as many rows as were requested.
  private var wasFull = false
  /// The page after the next one, if it was requested.
  private var ahead: PageRequest?

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
      let count = min(count, left)
      guard let page = try await read(count), let row = page.rows.last else {
        (section, next, last, wasFull) = (section + 1, 0, nil, false)
        continue
      }
      defer { next += page.rows.count }
      left -= page.rows.count
      last = (row.id, page.revision)
      wasFull = page.rows.count == count
      return Page(section: section, first: next, rows: page.rows, revision: page.revision)
    }
    return nil
  }

  /// Reads the next rows of the section; nil if it ends before them.
  private mutating func read(_ count: Int) async throws(DragboardError) -> RowPage? {
    let page = try await requested(count)
    guard let last, last.revision != page?.revision else { return page }
    try await follow(last.item)
    return try await requested(count)
  }

  /// Reads the rows from `next` on, and requests the page after them.
  ///
  /// The daemon prepares that page while this process decodes the rows. The first page is read alone,
  /// because most boards have no other page.
  private mutating func requested(_ count: Int) async throws(DragboardError) -> RowPage? {
    let request: PageRequest
    if let ahead, ahead.isFor(section, next, count) {
      request = ahead
    } else {
      ahead?.cancel()
      request = PageRequest(board, section, next, count)
    }
    ahead =
      wasFull && left > count
      ? PageRequest(board, section, next + count, min(count, left - count)) : nil
    return try await request.page()
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

/// A page of rows that was requested and may have arrived.
private struct PageRequest {
  private let (section, first, count): (Int, Int, Int)
  private let reading: Task<Result<RowPage?, DragboardError>, Never>

  /// Requests rows.
  init(_ board: Board, _ section: Int, _ first: Int, _ count: Int) {
    (self.section, self.first, self.count) = (section, first, count)
    reading = Task {
      do throws(DragboardError) {
        return .success(try await board.page(ofSection: section, from: first, count: count))
      } catch  where error.reason == .invalidArguments {
        return .success(nil)
      } catch { return .failure(error) }
    }
  }

  /// Whether these rows were requested.
  func isFor(_ section: Int, _ first: Int, _ count: Int) -> Bool {
    (section, first, count) == (self.section, self.first, self.count)
  }

  func cancel() { reading.cancel() }

  /// Returns the rows; nil if the section ends before them.
  func page() async throws(DragboardError) -> RowPage? {
    try await withTaskCancellationHandler {
      await reading.value
    } onCancel: {
      reading.cancel()
    }
    .get()
  }
}
