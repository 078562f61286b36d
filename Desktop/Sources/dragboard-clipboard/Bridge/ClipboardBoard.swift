import DragboardClient
import Files

/// The board on which the contents of a selection become rows.
///
/// Copies are stored one after another, so that the rows have the order of the copies.
struct ClipboardBoard {
  let dragboard: DragboardConnection
  var selection = Selection.clipboard

  /// Returns the board; creates it if it does not exist.
  func board() async throws(DragboardError) -> Board {
    switch selection {
    case .clipboard: try await dragboard.clipboard.board()
    case .primary: try await dragboard.clipboard.selectionBoard()
    }
  }

  /// Stores a copy as the first row, in one edit.
  ///
  /// A sandboxed program could have made the copy. So the row has the source of the clipboard, and
  /// not the source of the bridge, which the shelf trusts.
  func store(
    _ contents: [(type: ContentType, content: RowBytes)], of application: String
  ) async throws(DragboardError) -> StoredRow {
    let board = try await board()
    let item = try await board.insert(
      contents, attributes: ItemAttributes(application: application), isFromClipboard: true,
      at: 0)
    return StoredRow(board: board, item: item, types: contents.map(\.type.rawValue))
  }

  /// Moves a row of this board to the top.
  ///
  /// Rows of other boards do not move.
  func moveToTop(_ row: StoredRow) async throws(DragboardError) {
    guard try await dragboard.clipboard.board().id == row.board.id else { return }
    try await row.board.move([row.item], toSection: 0, row: 0)
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

/// A row that programs can paste.
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
  /// The representations in the form that the daemon accepts: short contents as bytes, which is
  /// faster.
  func contents() throws -> [(type: ContentType, content: RowBytes)] {
    try representations.map { type, buffer in
      let isShort = buffer.count <= 8 << 10
      return (
        ContentType(type),
        isShort
          ? .data(try buffer.bytes())
          : .file(try SourceFile(descriptor: buffer.file.number))
      )
    }
  }
}
