import DragboardClient

/// The texts of a board's rows, including rows that were deleted after their texts were read.
struct RowTexts {
  private let board: Board
  private var texts: [ItemID: String] = [:]

  private static let maxCount = 10_000
  /// The minimum number of unknown rows for which all rows are read.
  private static let minPageCount = 20

  init(of board: Board) { self.board = board }

  /// Reads the texts of all rows that are on the board.
  mutating func load() async throws(DragboardError) {
    let count = try await board.info().sections.count
    var pages = BoardPages(board, sections: 0..<count, count: Self.maxCount)
    while let page = try await pages.page() {
      for row in page.rows { texts[row.id] = row.label }
    }
  }

  /// Reads the texts of changed rows.
  ///
  /// The texts of deleted rows stay stored.
  mutating func follow(_ changes: [BoardChange]) async throws(DragboardError) {
    let items = changes.compactMap(\.presentItem)
    for case .reload(let item, _) in changes { texts[item] = nil }
    let unknown = items.filter { texts[$0] == nil }
    if unknown.count >= Self.minPageCount { try await load() }
    for item in unknown where texts[item] == nil && unknown.count < Self.minPageCount {
      texts[item] = try await board.find(item)?.row.label
    }
  }

  /// The text of a row; nil if it was never read.
  subscript(item: ItemID) -> String? { texts[item] }
}

extension BoardChange {
  /// The changed row; nil for a change of a section.
  var item: ItemID? {
    switch self {
    case .insert(let item, _), .delete(let item, _), .move(let item, _, _), .reload(let item, _):
      item
    case .insertSection, .deleteSection, .moveSection, .renameSection: nil
    }
  }

  /// The changed row; nil if the row was deleted, or for a change of a section.
  fileprivate var presentItem: ItemID? { if case .delete = self { nil } else { item } }
}
