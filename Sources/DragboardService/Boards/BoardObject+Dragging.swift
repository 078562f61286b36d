import BoardModel
import DBus
import DragModel
import DragboardInterface

/// `org.dragboard.Dragboard1.DragSource`: the board's rows can be dragged.
enum DragSourceTable {
  static func table() -> InterfaceTable<BoardObject> {
    var table = InterfaceTable<BoardObject>(DragSourceInterface.name)
    table.method(
      DragSourceInterface.beginDrag,
      checking: { (board, call) throws(DBusError) in
        let most = board.service.limits.maxItems
        guard call.elementCount(ofArgument: 1, upTo: most) <= most else {
          throw .limit("items: max-items", most)
        }
      }
    ) {
      (board, call, application, items) throws(DBusError) in
      guard !items.isEmpty else {
        throw DBusError(.invalidArgs, "items is empty; a drag of rows has at least one")
      }
      try board.checkDistinct(items)
      let source = try board.service.application(application, of: call)
      return try board.beginDrag(of: try board.rows(items), by: source, call.access).path
    }
    table.method(DragSourceInterface.beginRowDrag) {
      (board, call, application, section, row) throws(DBusError) in
      let source = try board.service.application(application, of: call)
      return try board.beginDrag(
        of: [try board.row(at: section, row)], by: source, call.access
      ).path
    }
    return table
  }
}

extension BoardObject {
  /// The row at an index path.
  ///
  /// - Throws: InvalidArgs.
  func row(at section: UInt32, _ row: UInt32) throws(DBusError) -> RowID {
    let path = IndexPath(section: Int(section), row: Int(row))
    if let row = board.row(at: path) { return row }
    guard let count = board.rowCount(inSection: path.section) else {
      throw answer(
        .indexOutOfRange(.section, given: path.section, valid: 0...board.sectionNames.count - 1))
    }
    throw answer(
      .indexOutOfRange(.row, given: path.row, valid: count == 0 ? nil : 0...count - 1))
  }

  /// Opens a session whose items are these rows, with every representation.
  fileprivate func beginDrag(
    of rows: [RowID], by source: Application, _ access: BoardAccess
  ) throws(DBusError) -> SessionObject {
    try checkMayRead(rows, access)
    try service.checkNamedRows(rows.count, by: access.sandboxOfQuotas)
    var session = DragSession(
      source: source, origin: DragOrigin(board: key, rows: rows), limits: service.limits.ofSessions)
    let items = try rows.map { row throws(DBusError) in try item(row) }
    do throws(DragError) { try session.add(items) } catch { throw error.answer(argument: "items") }
    return try service.sessions.begin(session, from: self, by: access)
  }

  private func item(_ row: RowID) throws(DBusError) -> ItemProvider {
    let summary = try summary(of: row)
    // A name that a row bears was checked when it came.
    var item = ItemProvider(
      suggestedName: (try? SuggestedName(summary.name)) ?? .none, row: row)
    for (ordinal, (type, byteCount)) in summary.types.enumerated() {
      let content = RowBytes(
        row, ordinal: ordinal, byteCount: byteCount, in: service.repository)
      // What a board holds came from an item, and has no type twice.
      try? item.register(Representation(type: type, visibility: .all, content: content))
    }
    return item
  }
}
