import DragboardClient

/// The rows that a change of a board's retention deletes.
///
/// The count can be too high if the board has pinned or locked rows of a sandbox, because some of
/// these rows do not count towards the maximum. Only the daemon knows them.
struct RetentionPreview {
  /// The number of rows that the change deletes.
  let deleted: Int
  /// The number of rows of the board.
  let count: Int

  /// Counts the rows that the daemon would delete now.
  ///
  /// Reads the rows of the board, unless the change deletes no row in any case.
  ///
  /// - Parameters:
  ///   - board: the board.
  ///   - rows: the new number of rows to retain; nil if it does not change.
  ///   - seconds: the new time to retain a row; nil if it does not change.
  /// - Throws: `DragboardError`.
  init(of board: Board, rows: Int?, seconds: Int64?) async throws(DragboardError) {
    let info = try await board.info()
    let rows = rows ?? info.retainedRows
    let time = Duration.seconds(seconds ?? info.retainedTime.components.seconds)
    count = info.count
    let excess = rows > 0 ? max(0, info.count - rows) : 0
    guard info.count > 0, excess > 0 || time > .zero else {
      deleted = 0
      return
    }
    let limit = Amounts.now - time
    var (deletable, expired) = (0, 0)
    var pages = BoardPages(board, sections: info.sections.indices)
    while let page = try await pages.page() {
      for row in page.rows where row.isEditable && !row.isPinned {
        deletable += 1
        if time > .zero, row.created <= limit { expired += 1 }
      }
    }
    deleted = max(expired, min(excess, deletable))
  }
}
