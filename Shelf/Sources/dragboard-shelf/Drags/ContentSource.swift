import DragboardClient
import ShelfModel

/// Where held out things are had from when somebody asks for them.
protocol ContentSource: AnyObject {
  /// What is held out, as it is now.
  func items() async throws -> [any HeldOut]
  /// The bytes of one of them.
  func bytes(ofItem item: Int, as type: ContentType) async throws -> [UInt8]
  /// What the folder of one's files is called.
  func folder(ofItem item: Int) -> String
}

/// Rows as they are held out.
final class RowsOfBoard: ContentSource {
  private let rows: [RowFacts]
  private let board: Board

  /// Those rows of a board.
  init(_ rows: [RowFacts], of board: Board) {
    self.rows = rows
    self.board = board
  }

  func items() -> [any HeldOut] { rows }

  func bytes(ofItem item: Int, as type: ContentType) async throws -> [UInt8] {
    try await board.file(of: rows[item].id, as: type).bytes()
  }

  func folder(ofItem item: Int) -> String { "\(rows[item].id)" }
}
