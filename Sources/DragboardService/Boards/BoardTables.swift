import BoardModel
import DBus
import DragboardInterface

/// The interfaces of a board, member by member.
enum BoardTables {
  static func board() -> InterfaceTable<BoardObject> {
    var table = InterfaceTable<BoardObject>(BoardInterface.name)
    addReading(to: &table)
    addInserting(to: &table)
    addMoving(to: &table)
    addSections(to: &table)
    addHistory(to: &table)
    addProperties(to: &table)
    table.signal(BoardInterface.changed)
    return table
  }

  private static func addReading(to table: inout InterfaceTable<BoardObject>) {
    table.method(BoardInterface.getRows) {
      (board, call, section, first, count) throws(DBusError) in
      try board.getRows(section, first, count, call.access)
    }
    table.method(BoardInterface.getTexts) {
      (board, call, section, first, count) throws(DBusError) in
      try board.getTexts(section, first, count, call.access)
    }
    table.method(BoardInterface.getIndexPath) { (board, _, item) throws(DBusError) in
      try board.getIndexPath(item)
    }
    table.method(BoardInterface.getTypes) { (board, call, item) throws(DBusError) in
      try board.getTypes(item, call.access)
    }
    table.deferredMethod(BoardInterface.getText) { (board, call, reply, item) throws(DBusError) in
      try board.getText(item, call, reply)
    }
    table.deferredMethod(BoardInterface.getData) {
      (board, call, reply, item, type) throws(DBusError) in
      try board.getData(item, type, call, reply)
    }
    table.deferredMethod(BoardInterface.getFile) {
      (board, call, reply, item, type) throws(DBusError) in
      try board.getFile(item, type, call, reply)
    }
    table.deferredMethod(BoardInterface.search) {
      (board, call, reply, query, limit) throws(DBusError) in
      try board.search(query, limit, call.access, reply)
    }
    table.method(BoardInterface.getSnapshot) { (board, _) throws(DBusError) in
      try board.getSnapshot()
    }
  }

  private static func addInserting(to table: inout InterfaceTable<BoardObject>) {
    table.deferredMethod(BoardInterface.insertText) {
      (board, call, reply, section, row, text) throws(DBusError) in
      try board.insertText(section, row, text, call, reply)
    }
    table.deferredMethod(
      BoardInterface.insertTexts,
      checking: { (board, call) throws(DBusError) in try board.checkList(2, "texts", of: call) }
    ) {
      (board, call, reply, section, row, texts) throws(DBusError) in
      try board.insertTexts(section, row, texts, call, reply)
    }
    table.deferredMethod(BoardInterface.insertData) {
      (board, call, reply, section, row, type, data) throws(DBusError) in
      try board.insertData(section, row, type, data, call, reply)
    }
    table.deferredMethod(BoardInterface.insertFile) {
      (board, call, reply, section, row, type, file) throws(DBusError) in
      try board.insertFile(section, row, type, file, call, reply)
    }
    table.deferredMethod(BoardInterface.setText) {
      (board, call, reply, item, text) throws(DBusError) in
      try board.setText(item, text, call, reply)
    }
    table.method(BoardInterface.setEditable) { (board, call, item, editable) throws(DBusError) in
      try board.setGate(.editable, open: editable, of: item, call.access)
    }
    table.method(BoardInterface.setMovable) { (board, call, item, movable) throws(DBusError) in
      try board.setGate(.movable, open: movable, of: item, call.access)
    }
  }

  private static func addMoving(to table: inout InterfaceTable<BoardObject>) {
    table.method(BoardInterface.moveRow) {
      (board, call, fromSection, fromRow, toSection, toRow) throws(DBusError) in
      let source = IndexPath(section: Int(fromSection), row: Int(fromRow))
      try board.checkMayChange(source, call.access)
      return try board.edit { model throws(BoardError) in
        try model.move(from: source, to: IndexPath(section: Int(toSection), row: Int(toRow)))
      }
    }
    table.method(
      BoardInterface.moveItems,
      checking: { (board, call) throws(DBusError) in try board.checkList(0, "items", of: call) }
    ) {
      (board, call, items, section, row) throws(DBusError) in
      try board.moveItems(items, section, row, call.access)
    }
    table.method(BoardInterface.deleteRow) { (board, call, section, row) throws(DBusError) in
      let path = IndexPath(section: Int(section), row: Int(row))
      try board.checkMayChange(path, call.access)
      return try board.edit { model throws(BoardError) in try model.delete(at: path) }
    }
    table.method(
      BoardInterface.deleteItems,
      checking: { (board, call) throws(DBusError) in try board.checkList(0, "items", of: call) }
    ) { (board, call, items) throws(DBusError) in
      try board.deleteItems(items, call.access)
    }
    table.method(BoardInterface.clear) { (board, call) throws(DBusError) in
      try call.access.checkGoverns()
      return try board.edit { model throws(BoardError) in model.clear() }
    }
  }

  private static func addSections(to table: inout InterfaceTable<BoardObject>) {
    table.method(BoardInterface.insertSection) { (board, call, name, section) throws(DBusError) in
      try board.insertSection(name, section, call.access)
    }
    table.method(BoardInterface.renameSection) { (board, call, section, name) throws(DBusError) in
      try call.access.checkGoverns()
      return try board.edit { model throws(BoardError) in
        try model.renameSection(Int(section), to: name)
      }
    }
    table.method(BoardInterface.moveSection) { (board, call, from, to) throws(DBusError) in
      try call.access.checkGoverns()
      return try board.edit { model throws(BoardError) in
        try model.moveSection(from: Int(from), to: Int(to))
      }
    }
    table.method(BoardInterface.deleteSection) { (board, call, section) throws(DBusError) in
      try call.access.checkGoverns()
      return try board.edit { model throws(BoardError) in try model.deleteSection(Int(section)) }
    }
    table.method(
      BoardInterface.setAcceptedTypes,
      checking: { (board, call) throws(DBusError) in
        try board.checkList(0, "types", of: call, atMost: BoardObject.maxNamedTypes)
      }
    ) { (board, call, types) throws(DBusError) in
      try board.setAcceptedTypes(types, call.access)
    }
  }

  private static func addHistory(to table: inout InterfaceTable<BoardObject>) {
    table.method(
      BoardInterface.applySnapshot,
      checking: { (board, call) throws(DBusError) in
        try call.access.checkGoverns()
        let limits = board.service.limits
        try board.checkList(
          1, "sections", of: call, atMost: limits.maxRows + limits.maxSections)
      }
    ) {
      (board, call, base, sections) throws(DBusError) in
      try board.applySnapshot(base, sections)
    }
    table.method(
      BoardInterface.applyOrder,
      checking: { (board, call) throws(DBusError) in
        try call.access.checkGoverns()
        try board.checkList(2, "items", of: call, atMost: board.service.limits.maxRows)
      }
    ) {
      (board, call, base, section, items) throws(DBusError) in
      try board.applyOrder(base, section, items)
    }
    table.method(BoardInterface.getChanges) { (board, _, since) throws(DBusError) in
      try board.getChanges(since)
    }
    table.method(BoardInterface.undo) { (board, call) throws(DBusError) in
      try board.undo(call.access)
    }
    table.method(BoardInterface.redo) { (board, call) throws(DBusError) in
      try board.redo(call.access)
    }
  }

  private static func addProperties(to table: inout InterfaceTable<BoardObject>) {
    table.property(BoardInterface.boardName) { $0.header.name }
    table.property(BoardInterface.revision) { $0.board.revision }
    table.property(BoardInterface.count) { UInt32($0.board.count) }
    table.property(BoardInterface.sections) { $0.board.sectionNames }
    table.property(BoardInterface.acceptedTypes) { $0.header.acceptedTypes }
    table.property(
      BoardInterface.maxRows, get: { $0.header.maxRows },
      set: { (board, call, rows) throws(DBusError) in
        try call.access.checkGoverns()
        try board.changeHeader { $0.maxRows = rows }
      })
    table.property(
      BoardInterface.movesMultipleRows, get: { $0.header.movesMultipleRows },
      set: { (board, call, moves) throws(DBusError) in
        try call.access.checkGoverns()
        try board.changeHeader { $0.movesMultipleRows = moves }
      })
    table.property(BoardInterface.hasActiveDrag) { $0.hasActiveDrag }
  }
}
