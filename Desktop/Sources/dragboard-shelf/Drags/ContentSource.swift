import DragboardClient
import ShelfModel

/// A source of content that other applications request.
protocol ContentSource: AnyObject {
  /// Returns the offered items.
  func items() async throws -> [any HeldOut]
  /// Returns the bytes of an item as a file.
  func file(ofItem item: Int, as type: ContentType) async throws -> ReceivedFile
  /// Returns the name of the directory for the exported files of an item.
  func directory(ofItem item: Int) -> String
  /// The description of a transfer for the user.
  var title: String { get }
  /// Ends waits for the content.
  func stop()
  /// Whether another application has not received the whole content.
  var hasFailed: Bool { get set }
  /// Whether another application has received content.
  var hasDelivered: Bool { get set }
}

/// Rows of a board as a source of content.
final class RowsOfBoard: ContentSource {
  private let rows: [RowFacts]
  private let board: Board
  var hasFailed = false
  var hasDelivered = false

  /// Creates a source of rows of a board.
  init(_ rows: [RowFacts], of board: Board) {
    self.rows = rows
    self.board = board
  }

  func items() -> [any HeldOut] { rows }

  func file(ofItem item: Int, as type: ContentType) async throws -> ReceivedFile {
    try await board.file(of: rows[item].id, as: type)
  }

  func directory(ofItem item: Int) -> String { "\(rows[item].id)" }

  var title: String { counted("Sending one row", "Sending %1 rows", rows.count) }

  /// The daemon already has the content, so there is no wait to end.
  func stop() {}
}
