import DragboardClient
import ShelfModel

/// A source of content that other applications request.
protocol ContentSource: AnyObject {
  /// Returns the offered items.
  func items() async throws -> [any HeldOut]
  /// Returns the bytes of an item as a file.
  func file(ofItem item: Int, as type: ContentType) async throws -> ReceivedFile
  /// Passes the bytes of a promise to `body` as they arrive, on another thread.
  ///
  /// - Returns: false if the item is not a promise; then `file` returns its bytes.
  func receive(
    item: Int, as type: ContentType,
    _ body: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
  ) async throws -> Bool
  /// Returns the expected number of bytes of a promise; 0 if it is unknown.
  func promisedSize(ofItem item: Int, as type: ContentType) async throws -> Int
  /// Returns the name of the directory for the exported files of an item.
  func directory(ofItem item: Int) -> String
  /// Whether the items and their content stay the same.
  var isUnchanging: Bool { get }
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
  private let items: [ItemID]
  private let known: [RowFacts]
  private let board: Board
  private let read: () async throws -> [RowFacts]
  var hasFailed = false
  var hasDelivered = false

  /// Creates a source of rows of a board.
  init(_ rows: [RowFacts], of board: Board) {
    (items, known, self.board) = (rows.map(\.id), rows, board)
    read = { rows }
  }

  /// Creates a source of rows of which only some are known; the others are read when an application
  /// requests the content.
  init(_ items: [ItemID], known: [RowFacts], of page: BoardPage) {
    (self.items, self.known, board) = (items, known, page.board)
    read = { [weak page] in
      let rows = try await page?.facts(of: items) ?? []
      let byItem = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      return items.map { byItem[$0] ?? RowFacts(id: $0, types: []) }
    }
  }

  func items() async throws -> [any HeldOut] {
    known.count == items.count ? known : try await read()
  }

  func file(ofItem item: Int, as type: ContentType) async throws -> ReceivedFile {
    try await board.file(of: items[item], as: type)
  }

  func receive(
    item: Int, as type: ContentType,
    _ body: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
  ) async throws -> Bool { false }

  func promisedSize(ofItem item: Int, as type: ContentType) async throws -> Int { 0 }

  func directory(ofItem item: Int) -> String { "\(items[item])" }

  var title: String { counted("Sending one row", "Sending %1 rows", items.count) }

  /// The rows can be edited.
  var isUnchanging: Bool { false }

  /// The daemon already has the content, so there is no wait to end.
  func stop() {}
}
