public import BoardModel
internal import DragModel
public import DragboardStore

/// The complete content of the boards of a store.
public struct StoreInventory: Equatable {
  /// A section and its rows in order.
  public struct Section: Equatable {
    /// The name of the board.
    public let name: String
    /// The rows of the section.
    public let rows: [RowID]
  }

  /// The content of a row.
  public struct Item: Equatable {
    /// The application that inserted the row.
    public let source: String
    /// The types, in order of fidelity.
    public let types: [String]
    /// The bytes of each type.
    public let contents: [[UInt8]]
  }

  /// The sections of each board, by the name of the board.
  public private(set) var boards: [String: [Section]] = [:]
  /// The contents of the rows of all boards.
  public private(set) var items: [RowID: Item] = [:]

  /// Reads a whole store.
  ///
  /// - Throws: the error of the store.
  public init(_ store: BoardStore) throws {
    for stored in try store.boards() {
      let snapshot = stored.board.snapshot()
      boards[stored.header.name] = snapshot.sections.map { Section(name: $0.name, rows: $0.rows) }
      for row in snapshot.sections.flatMap(\.rows) { items[row] = try Self.item(row, store) }
    }
  }

  private static func item(_ row: RowID, _ store: BoardStore) throws -> Item? {
    guard let info = try store.summary(of: row) else { return nil }
    return Item(
      source: info.source, types: info.types.map(\.type.mime),
      contents: try info.types.indices.map { try store.content(of: row, at: $0).read() })
  }
}
