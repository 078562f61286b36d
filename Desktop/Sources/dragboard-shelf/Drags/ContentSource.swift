import DragboardClient
import ShelfModel

/// The source of content that is offered to other applications.
protocol ContentSource: AnyObject {
  /// Returns the offered items.
  func items() async throws -> [any HeldOut]
  /// Returns the bytes of an item.
  func bytes(ofItem item: Int, as type: ContentType) async throws -> [UInt8]
  /// Returns the name of the directory for the files of an item.
  func directory(ofItem item: Int) -> String
}

/// Rows of a board as a source of content.
final class RowsOfBoard: ContentSource {
  private let rows: [RowFacts]
  private let board: Board

  /// Creates a source of rows of a board.
  init(_ rows: [RowFacts], of board: Board) {
    self.rows = rows
    self.board = board
  }

  func items() -> [any HeldOut] { rows }

  func bytes(ofItem item: Int, as type: ContentType) async throws -> [UInt8] {
    try await board.file(of: rows[item].id, as: type).bytes()
  }

  func directory(ofItem item: Int) -> String { "\(rows[item].id)" }
}
