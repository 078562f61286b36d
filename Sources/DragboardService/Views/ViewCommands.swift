import BoardModel
import DBus
import DragModel
import DragboardInterface

/// The members of `org.dragboard.Dragboard1.View`.
struct ViewCommands {
  let views: Views
  let named: NamedRows

  func table(_ context: @escaping (Call) -> Command) -> InterfaceTable<ViewEntity, Command> {
    var table = InterfaceTable<ViewEntity, Command>(ViewInterface.name, context: context)
    table.method(ViewInterface.setEditing, setEditing)
    table.method(
      ViewInterface.select,
      checking: ListCheck.atMost(
        Limits.maxSelectedRows, ofArgument: 0, "items: the maximum number of rows in a selection"),
      select)
    table.method(ViewInterface.selectRow, selectRow)
    table.method(ViewInterface.deselect, deselect)
    table.method(ViewInterface.reselect, reselect)
    table.method(ViewInterface.setReselect, setReselect)
    table.method(ViewInterface.commit, commit)
    table.method(ViewInterface.close, close)
    table.property(ViewInterface.board) { $0.board.path }
    table.property(ViewInterface.application) { $0.application.description }
    table.property(ViewInterface.editing) { $0.state.isEditing }
    table.property(ViewInterface.selection) { $0.selection }
    table.property(ViewInterface.pending) { $0.pending }
    table.property(
      ViewInterface.allowsMultipleSelection, get: { $0.state.allowsMultipleSelection },
      set: setAllowsMultipleSelection)
    return table
  }

  private func setEditing(
    _ view: ViewEntity, _ command: Command, _ isEditing: Bool
  ) throws(DBusError) {
    try change(view, command) { state, _ in state.setEditing(isEditing) }
  }

  private func select(
    _ view: ViewEntity, _ command: Command, _ items: [String]
  ) throws(DBusError) {
    try items.checkDistinct()
    try checkOwner(of: view, command)
    command.step.read(view.board)
    let rows = try view.board.rows(items)
    try change(view, command) { state, board throws(ViewError) in
      try state.select(rows, on: board)
    }
  }

  private func selectRow(
    _ view: ViewEntity, _ command: Command, _ section: UInt32, _ row: UInt32
  ) throws(DBusError) {
    let path = IndexPath(section: Int(section), row: Int(row))
    try change(view, command) { state, board throws(ViewError) in
      try state.selectRow(at: path, on: board)
    }
  }

  private func deselect(_ view: ViewEntity, _ command: Command) throws(DBusError) {
    try change(view, command) { state, _ in state.deselect() }
  }

  private func reselect(_ view: ViewEntity, _ command: Command) throws(DBusError) -> String {
    let row = try change(view, command) { state, board throws(ViewError) in
      try state.reselect(on: board)
    }
    return view.id(of: row)
  }

  private func setReselect(_ view: ViewEntity, _ command: Command) throws(DBusError) -> String {
    view.id(of: try change(view, command) { state, board in state.setReselect(on: board) })
  }

  private func commit(_ view: ViewEntity, _ command: Command) throws(DBusError) -> String {
    let row = try change(view, command) { state, board throws(ViewError) in
      try state.commit(on: board)
    }
    return view.id(of: row)
  }

  private func close(_ view: ViewEntity, _ command: Command) throws(DBusError) {
    try checkOwner(of: view, command)
    views.close(view, in: command.step)
  }

  private func setAllowsMultipleSelection(
    _ view: ViewEntity, _ command: Command, _ allows: Bool
  ) throws(DBusError) {
    try change(view, command) { $0.setAllowsMultipleSelection(allows, on: $1) }
  }

  /// Refuses all callers except the application that opened the view.
  private func checkOwner(of view: ViewEntity, _ command: Command) throws(DBusError) {
    guard command.caller.counts(as: view.application) else {
      throw DBusError(
        .accessDenied,
        "view: the caller is not the owner of \(view.path) (\(view.application))")
    }
  }

  /// Changes the state of a view for its owner, unless too many rows would be selected.
  private func change<Outcome>(
    _ view: ViewEntity, _ command: Command,
    _ body: (inout ViewState, Board) throws(ViewError) -> Outcome
  ) throws(DBusError) -> Outcome {
    try checkOwner(of: view, command)
    return try view.change(in: command.step) { (state, board) throws(DBusError) in
      let count = state.selection.count
      let outcome: Outcome
      do throws(ViewError) { outcome = try body(&state, board) } catch {
        throw answer(to: error, of: view)
      }
      try named.check(adding: state.selection.count - count, by: view.sandbox)
      return outcome
    }
  }

  private func answer(to error: ViewError, of view: ViewEntity) -> DBusError {
    switch error {
    case .editing: DBusError(.editing, "view: \(error)")
    case .severalRows: DBusError(.invalidArgs, "items: \(error)")
    case .refused(let refusal): view.board.answer(to: refusal)
    }
  }
}
