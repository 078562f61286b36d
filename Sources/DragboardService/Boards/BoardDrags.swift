import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// The methods of `org.dragboard.Dragboard1.DragSource`: drags of a board's rows.
struct BoardDrags {
  let drags: Drags
  let named: NamedRows
  let limits: Limits

  func beginDrag(
    _ board: BoardEntity, _ command: Command, _ application: String, _ items: [String]
  ) throws(DBusError) -> ObjectPath {
    guard !items.isEmpty else {
      throw DBusError(.invalidArgs, "items: the list is empty (expected at least one row)")
    }
    try items.checkDistinct()
    let source = try command.application(application)
    return try begin(try board.rows(items), of: board, by: source, command)
  }

  func beginRowDrag(
    _ board: BoardEntity, _ command: Command, _ application: String, _ section: UInt32,
    _ row: UInt32
  ) throws(DBusError) -> ObjectPath {
    let source = try command.application(application)
    return try begin([try board.row(at: section, row)], of: board, by: source, command)
  }

  /// Begins a session whose items are these rows, with every representation.
  private func begin(
    _ rows: [RowID], of board: BoardEntity, by source: Application, _ command: Command
  ) throws(DBusError) -> ObjectPath {
    let stored = StoredRows(board.ids, for: command)
    try stored.checkMayRead(rows)
    try named.check(adding: rows.count, by: command.access.sandboxOfQuotas)
    var session = DragSession(
      source: source, origin: DragOrigin(board: board.key, rows: rows), limits: limits.ofSessions)
    let items = try rows.map { row throws(DBusError) in
      item(row, try stored.summary(of: row), command.step.store)
    }
    do throws(DragError) { try session.add(items) } catch { throw error.answer(argument: "items") }
    return try drags.begin(session, of: board, by: command).path
  }

  private func item(
    _ row: RowID, _ summary: RowSummary, _ store: any StoreReading
  ) -> ItemProvider {
    var item = ItemProvider(attributes: summary.attributes, row: row)
    for (ordinal, stored) in summary.types.enumerated() {
      let content = ReadyContent(
        row, ordinal: ordinal, byteCount: stored.byteCount, in: store)
      // This cannot fail. The row was created from an item, and no type occurs twice in an item.
      try? item.register(Representation(type: stored.type, visibility: .all, content: content))
    }
    return item
  }
}
