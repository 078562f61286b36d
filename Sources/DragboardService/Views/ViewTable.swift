import BoardModel
import DBus
import DragModel
import DragboardInterface

/// `org.dragboard.Dragboard1.View`, member by member.
enum ViewTable {
  static func table() -> InterfaceTable<ViewObject> {
    var table = InterfaceTable<ViewObject>(ViewInterface.name)
    addMethods(to: &table)
    table.property(ViewInterface.board) { $0.board.path }
    table.property(ViewInterface.application) { $0.application.description }
    table.property(ViewInterface.editing) { $0.state.isEditing }
    table.property(ViewInterface.selection) { $0.selection }
    table.property(ViewInterface.pending) { $0.pending }
    table.property(
      ViewInterface.allowsMultipleSelection, get: { $0.state.allowsMultipleSelection },
      set: { (view, call, allows) throws(DBusError) in
        try view.setAllowsMultipleSelection(allows, call)
      })
    return table
  }

  private static func addMethods(to table: inout InterfaceTable<ViewObject>) {
    table.method(ViewInterface.setEditing) { (view, call, editing) throws(DBusError) in
      try view.setEditing(editing, call)
    }
    table.method(
      ViewInterface.select,
      checking: { (_, call) throws(DBusError) in
        let most = Limits.maxSelectedRows
        guard call.elementCount(ofArgument: 0, upTo: most) <= most else {
          throw .limit("items: rows of a selection", most)
        }
      }
    ) { (view, call, items) throws(DBusError) in
      try view.select(items, call)
    }
    table.method(ViewInterface.selectRow) { (view, call, section, row) throws(DBusError) in
      try view.selectRow(section, row, call)
    }
    table.method(ViewInterface.deselect) { (view, call) throws(DBusError) in
      try view.deselect(call)
    }
    table.method(ViewInterface.reselect) { (view, call) throws(DBusError) in
      try view.reselect(call)
    }
    table.method(ViewInterface.setReselect) { (view, call) throws(DBusError) in
      try view.setReselect(call)
    }
    table.method(ViewInterface.commit) { (view, call) throws(DBusError) in
      try view.commit(call)
    }
    table.method(ViewInterface.close) { (view, call) throws(DBusError) in
      try view.close(call)
    }
  }
}

/// `org.dragboard.Dragboard1.Views`: the board can be shown.
enum ViewsTable {
  static func table() -> InterfaceTable<BoardObject> {
    var table = InterfaceTable<BoardObject>(ViewsInterface.name)
    table.method(ViewsInterface.openView) { (board, call, application) throws(DBusError) in
      let application = try board.service.application(application, of: call)
      return try board.service.views.open(board, for: application, by: call.access).path
    }
    return table
  }
}
