import DBus
import DragboardInterface

extension Board {
  /// The board's name, size, sections and settings.
  public func info() async throws(DragboardError) -> BoardInfo {
    try await BoardInfo(properties(of: BoardInterface.name))
  }

  /// Rows of a section from `first` on, at most `count`, without their bytes.
  ///
  /// - Throws: `invalidArguments` if there is no such section, or `first` is outside of it.
  public func page(
    ofSection section: Int = 0, from first: Int = 0, count: Int
  ) async throws(DragboardError) -> RowPage {
    let (revision, wire) = try await call(
      BoardInterface.getRows, UInt32(index: section), UInt32(index: first), UInt32(index: count))
    var rows: [Row] = []
    rows.reserveCapacity(wire.count)
    for row in wire { rows.append(try Row(row)) }
    return RowPage(revision: revision, rows: rows)
  }

  /// The row at a position.
  ///
  /// - Throws: `noSuchItem` if there is none.
  public func row(at position: RowPosition) async throws(DragboardError) -> Row {
    do throws(DragboardError) {
      let page = try await page(ofSection: position.section, from: position.row, count: 1)
      if let row = page.rows.first { return row }
    } catch  where error.reason == .invalidArguments {
      throw DragboardError(.noSuchItem, "row \(position) does not exist: \(error.message)")
    }
    throw DragboardError(.noSuchItem, "row \(position) does not exist")
  }

  /// The plain texts of a section's rows from `first` on; "" for a row that has none.
  ///
  /// Each is cut at 1 MiB. There are fewer texts than requested if they exceed one reply.
  public func texts(
    ofSection section: Int = 0, from first: Int = 0, count: Int
  ) async throws(DragboardError) -> [String] {
    try await call(
      BoardInterface.getTexts, UInt32(index: section), UInt32(index: first), UInt32(index: count))
  }

  /// The position of an item.
  ///
  /// - Throws: `noSuchItem`.
  public func position(of item: ItemID) async throws(DragboardError) -> RowPosition {
    let (section, row) = try await call(BoardInterface.getIndexPath, item.description)
    return RowPosition(section: Int(section), row: Int(row))
  }

  /// An item's types in order of fidelity.
  ///
  /// - Throws: `noSuchItem`.
  public func types(of item: ItemID) async throws(DragboardError) -> [ContentType] {
    try await call(BoardInterface.getTypes, item.description).map { ContentType($0) }
  }

  /// An item's plain text.
  ///
  /// - Throws: `noSuchItem`, `noSuchRepresentation`; `limitsExceeded` past 64 MiB.
  public func text(of item: ItemID) async throws(DragboardError) -> String {
    try await call(BoardInterface.getText, item.description)
  }

  /// The bytes of an item's first representation that conforms to `type`.
  ///
  /// - Throws: `noSuchItem`, `noSuchRepresentation`; `limitsExceeded` above 64 MiB: use the file.
  public func data(
    of item: ItemID, as type: ContentType = .any
  ) async throws(DragboardError) -> [UInt8] {
    try await call(BoardInterface.getData, item.description, type.rawValue)
  }

  /// The same as a file: of any size, and cheaper from 8 KiB on.
  ///
  /// - Throws: `noSuchItem`, `noSuchRepresentation`.
  public func file(
    of item: ItemID, as type: ContentType = .any
  ) async throws(DragboardError) -> ReceivedFile {
    ReceivedFile(try await call(BoardInterface.getFile, item.description, type.rawValue))
  }

  /// The rows whose plain text has every word of `query`, in the board's order.
  ///
  /// - Parameters:
  ///   - query: words, the last of which may be the beginning of one.
  ///   - limit: how many rows at most; 0 is 10,000.
  /// - Returns: the rows' ids.
  /// - Throws: `inputOutput`.
  public func search(
    _ query: String, limit: Int = 0
  ) async throws(DragboardError) -> [ItemID] {
    try ItemID.all(
      try await call(BoardInterface.search, query, UInt32(index: limit)))
  }

  /// The order of the whole board.
  ///
  /// - Throws: `limitsExceeded` past 1.5 million rows: pages give them.
  public func snapshot() async throws(DragboardError) -> BoardSnapshot {
    let (revision, sections) = try await call(BoardInterface.getSnapshot)
    return try BoardSnapshot(revision, sections)
  }
}
