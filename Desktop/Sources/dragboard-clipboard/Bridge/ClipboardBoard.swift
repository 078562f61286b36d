import DragboardClient
import Files

/// The board on which copies become rows.
///
/// One copy is stored after the other, so that the rows have the order of the copies.
struct ClipboardBoard {
  /// The name of the board.
  static let name = "clipboard"

  let dragboard: DragboardConnection

  /// Returns the board, which is created if it does not exist.
  func board() async throws(DragboardError) -> Board {
    do throws(DragboardError) { return try await dragboard.board(named: Self.name) } catch
      where error.reason == .noSuchBoard
    {
      let board = try await dragboard.createBoard(named: Self.name)
      try await board.setAcceptedTypes([.any])
      return board
    }
  }

  /// Stores a copy as the first row.
  ///
  /// - Returns: the id of the row.
  func store(_ representations: [DragItem.Representation]) async throws(DragboardError) -> StoredRow
  {
    let board = try await board()
    let drag = try await dragboard.beginDrag([DragItem(representations)])
    do throws(DragboardError) {
      let result = try await board.dropTarget.perform(drag.session.id, at: 0)
      guard let item = result.items.first else {
        throw DragboardError(.loadFailed, "the daemon has stored no row")
      }
      return StoredRow(board: board, item: item, types: representations.map(\.type.rawValue))
    } catch {
      try? await drag.session.cancel()
      throw error
    }
  }

  /// Returns a row of any board.
  ///
  /// - Parameters:
  ///   - item: the id of the row.
  ///   - path: the object path of its board.
  /// - Returns: the row.
  /// - Throws: `noSuchBoard`, `noSuchItem`.
  func row(_ item: ItemID, ofBoardAt path: String) async throws(DragboardError) -> StoredRow {
    guard let board = try await dragboard.boards().first(where: { $0.board.id.path == path })?.board
    else { throw DragboardError(.noSuchBoard, "board: no board at \(path)") }
    return StoredRow(
      board: board, item: item, types: try await board.types(of: item).map(\.rawValue))
  }
}

/// A row that can be pasted.
struct StoredRow: Sendable {
  let board: Board
  let item: ItemID
  let types: [String]

  /// Returns whether the row is still on its board.
  func exists() async throws(DragboardError) -> Bool {
    do throws(DragboardError) { _ = try await board.types(of: item) } catch
      where error.reason.isNotFound
    {
      return false
    }
    return true
  }

  /// Returns the bytes of a type.
  func file(as type: String) async throws(DragboardError) -> ReceivedFile {
    try await board.file(of: item, as: ContentType(type))
  }
}

@ClipboardActor extension Copy {
  /// The representations for the daemon: short ones as bytes, which takes less time.
  func contents() throws -> [DragItem.Representation] {
    try representations.map { type, buffer in
      let isShort = buffer.count <= 8 << 10
      return DragItem.Representation(
        ContentType(type),
        isShort
          ? .data(try buffer.bytes())
          : .file(try SourceFile(descriptor: buffer.file.number)))
    }
  }
}
