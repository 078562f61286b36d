import DBus
import DragboardInterface

extension Board {
  /// Returns the board's name, size, sections and settings.
  public func info() async throws(DragboardError) -> BoardInfo {
    try await BoardInfo(properties(of: BoardInterface.name))
  }

  /// Returns at most `count` rows of a section, beginning with row `first`, without their bytes.
  ///
  /// - Throws: `invalidArguments` if the section does not exist, or `first` is not in the section.
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

  /// Returns the row at a position.
  ///
  /// - Throws: `noSuchItem` if the position does not exist.
  public func row(at position: RowPosition) async throws(DragboardError) -> Row {
    do throws(DragboardError) {
      let page = try await page(ofSection: position.section, from: position.row, count: 1)
      if let row = page.rows.first { return row }
    } catch  where error.reason == .invalidArguments {
      throw DragboardError(.noSuchItem, "row \(position) does not exist: \(error.message)")
    }
    throw DragboardError(.noSuchItem, "row \(position) does not exist")
  }

  /// Returns the plain texts of at most `count` rows of a section, beginning with row `first`.
  ///
  /// A row without a plain text has the text "". Each text is cut at 1 MiB. There are fewer texts
  /// than requested if they do not fit into one reply.
  public func texts(
    ofSection section: Int = 0, from first: Int = 0, count: Int
  ) async throws(DragboardError) -> [String] {
    try await call(
      BoardInterface.getTexts, UInt32(index: section), UInt32(index: first), UInt32(index: count))
  }

  /// Returns the position of an item.
  ///
  /// - Throws: `noSuchItem`.
  public func position(of item: ItemID) async throws(DragboardError) -> RowPosition {
    let (section, row) = try await call(BoardInterface.getIndexPath, item.description)
    return RowPosition(section: Int(section), row: Int(row))
  }

  /// Returns an item's types in order of fidelity.
  ///
  /// - Throws: `noSuchItem`.
  public func types(of item: ItemID) async throws(DragboardError) -> [ContentType] {
    try await call(BoardInterface.getTypes, item.description).map { ContentType($0) }
  }

  /// Returns an item's plain text.
  ///
  /// - Throws: `noSuchItem`, `noSuchRepresentation`; `limitsExceeded` if it exceeds 64 MiB.
  public func text(of item: ItemID) async throws(DragboardError) -> String {
    try await call(BoardInterface.getText, item.description)
  }

  /// Returns the bytes of an item's first representation that conforms to `type`.
  ///
  /// - Throws: `noSuchItem`, `noSuchRepresentation`; `limitsExceeded` if they exceed 64 MiB: call
  ///   ``file(of:as:)`` instead.
  public func data(
    of item: ItemID, as type: ContentType = .any
  ) async throws(DragboardError) -> [UInt8] {
    try await call(BoardInterface.getData, item.description, type.rawValue)
  }

  /// Returns the bytes of an item's first representation that conforms to `type`, as a file.
  ///
  /// The file can have any size. From 8 KiB on, a file costs less than bytes in a reply.
  ///
  /// - Throws: `noSuchItem`, `noSuchRepresentation`.
  public func file(
    of item: ItemID, as type: ContentType = .any
  ) async throws(DragboardError) -> ReceivedFile {
    ReceivedFile(try await call(BoardInterface.getFile, item.description, type.rawValue))
  }

  /// Returns the rows whose plain text contains every word of `query`, in the board's order.
  ///
  /// - Parameters:
  ///   - query: the words. The last word also matches longer words that begin with it.
  ///   - limit: the maximum number of rows; 0 for 10,000.
  /// - Returns: the rows' ids.
  /// - Throws: `inputOutput`.
  public func search(
    _ query: String, limit: Int = 0
  ) async throws(DragboardError) -> [ItemID] {
    try ItemID.all(
      try await call(BoardInterface.search, query, UInt32(index: limit)))
  }

  /// Returns a page of the rows that a query finds, the best rows first.
  ///
  /// Rows with every word of the query come first, then rows with words that begin with the last word,
  /// and then, among the newest 10,000 rows, those with the words anywhere in the text. Within each group,
  /// newer rows come first. A query without words finds all rows, in the order of the board.
  ///
  /// - Parameters:
  ///   - query: the words.
  ///   - offset: the number of found rows before the page. If the query has words, at most 10,000 rows
  ///     are found.
  ///   - limit: the maximum number of rows of the page, at most 1,000.
  /// - Returns: the page.
  /// - Throws: `limitsExceeded` if the query is too long; `inputOutput`.
  public func findRows(
    _ query: String, from offset: Int = 0, limit: Int = 1_000
  ) async throws(DragboardError) -> FoundPage {
    guard limit > 0 else { return FoundPage(revision: 0, rows: [], hasMore: true) }
    let (revision, wire, hasMore) = try await call(
      BoardInterface.findRows, query, UInt32(index: offset), UInt32(index: limit))
    var rows: [FoundPage.FoundRow] = []
    rows.reserveCapacity(wire.count)
    for row in wire {
      let (section, index, id, preview, types, attributes) = row.members
      rows.append(
        FoundPage.FoundRow(
          row: try Row(Structure(id, preview, types, attributes)),
          position: RowPosition(section: Int(section), row: Int(index))))
    }
    return FoundPage(revision: revision, rows: rows, hasMore: hasMore)
  }

  /// Returns the order of the whole board.
  ///
  /// - Throws: `limitsExceeded` above 1.5 million rows: read pages instead.
  public func snapshot() async throws(DragboardError) -> BoardSnapshot {
    let (revision, sections) = try await call(BoardInterface.getSnapshot)
    return try BoardSnapshot(revision, sections)
  }
}
