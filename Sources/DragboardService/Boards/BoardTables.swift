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
    addProperties(to: &table)
    table.signal(BoardInterface.changed)
    return table
  }

  private static func addReading(to table: inout InterfaceTable<BoardObject>) {
    table.method(BoardInterface.getRows) { (board, _, section, first, count) throws(DBusError) in
      try board.getRows(section, first, count)
    }
    table.method(BoardInterface.getTexts) { (board, _, section, first, count) throws(DBusError) in
      try board.getTexts(section, first, count)
    }
    table.method(BoardInterface.getIndexPath) { (board, _, item) throws(DBusError) in
      try board.getIndexPath(item)
    }
    table.method(BoardInterface.getTypes) { (board, _, item) throws(DBusError) in
      try board.getTypes(item)
    }
    table.method(BoardInterface.getText) { (board, _, item) throws(DBusError) in
      try board.getText(item)
    }
    table.method(BoardInterface.getData) { (board, _, item, type) throws(DBusError) in
      try board.getData(item, type)
    }
    table.method(BoardInterface.getSnapshot) { (board, _) throws(DBusError) in
      try board.getSnapshot()
    }
  }

  private static func addInserting(to table: inout InterfaceTable<BoardObject>) {
    table.method(BoardInterface.insertText) { (board, _, section, row, text) throws(DBusError) in
      try board.insertText(section, row, text)
    }
    table.method(BoardInterface.insertTexts) { (board, _, section, row, texts) throws(DBusError) in
      try board.insertTexts(section, row, texts)
    }
    table.method(BoardInterface.insertData) {
      (board, _, section, row, type, data) throws(DBusError) in
      try board.insertData(section, row, type, data)
    }
    table.method(BoardInterface.setText) { (board, _, item, text) throws(DBusError) in
      try board.setText(item, text)
    }
    table.method(BoardInterface.setEditable) { (board, _, item, editable) throws(DBusError) in
      try board.setGate(.editable, open: editable, of: item)
    }
    table.method(BoardInterface.setMovable) { (board, _, item, movable) throws(DBusError) in
      try board.setGate(.movable, open: movable, of: item)
    }
  }

  private static func addMoving(to table: inout InterfaceTable<BoardObject>) {
    table.method(BoardInterface.moveRow) {
      (board, _, fromSection, fromRow, toSection, toRow) throws(DBusError) in
      try board.edit { model throws(BoardError) in
        try model.move(
          from: IndexPath(section: Int(fromSection), row: Int(fromRow)),
          to: IndexPath(section: Int(toSection), row: Int(toRow)))
      }
    }
    table.method(BoardInterface.moveItems) { (board, _, items, section, row) throws(DBusError) in
      try board.moveItems(items, section, row)
    }
    table.method(BoardInterface.deleteRow) { (board, _, section, row) throws(DBusError) in
      try board.edit { model throws(BoardError) in
        try model.delete(at: IndexPath(section: Int(section), row: Int(row)))
      }
    }
    table.method(BoardInterface.deleteItems) { (board, _, items) throws(DBusError) in
      try board.deleteItems(items)
    }
    table.method(BoardInterface.clear) { (board, _) throws(DBusError) in
      try board.edit { model throws(BoardError) in model.clear() }
    }
  }

  private static func addSections(to table: inout InterfaceTable<BoardObject>) {
    table.method(BoardInterface.insertSection) { (board, _, name, section) throws(DBusError) in
      try board.insertSection(name, section)
    }
    table.method(BoardInterface.renameSection) { (board, _, section, name) throws(DBusError) in
      try board.edit { model throws(BoardError) in
        try model.renameSection(Int(section), to: name)
      }
    }
    table.method(BoardInterface.moveSection) { (board, _, from, to) throws(DBusError) in
      try board.edit { model throws(BoardError) in
        try model.moveSection(from: Int(from), to: Int(to))
      }
    }
    table.method(BoardInterface.deleteSection) { (board, _, section) throws(DBusError) in
      try board.edit { model throws(BoardError) in try model.deleteSection(Int(section)) }
    }
    table.method(BoardInterface.setAcceptedTypes) { (board, _, types) throws(DBusError) in
      try board.setAcceptedTypes(types)
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
      set: { (board, _, rows) throws(DBusError) in
        try board.changeHeader { $0.maxRows = rows }
      })
    table.property(
      BoardInterface.movesMultipleRows, get: { $0.header.movesMultipleRows },
      set: { (board, _, moves) throws(DBusError) in
        try board.changeHeader { $0.movesMultipleRows = moves }
      })
    table.property(BoardInterface.hasActiveDrag) { $0.hasActiveDrag }
  }
}
