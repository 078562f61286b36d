import BoardModel
import DBus
import DragModel
import DragboardInterface

/// A view of a board as the bus sees it: one client's edit mode and selection.
final class ViewObject {
  /// Later views have greater numbers.
  let number: UInt64
  let path: ObjectPath
  let board: BoardObject
  let application: Application
  /// The sandbox of the client that opened the view; nil outside of one.
  let sandbox: String?
  private let service: Service
  private(set) var state = ViewState()
  /// What PropertiesChanged has told of the selection and of what is pending.
  private var told = Appearance()
  private var departure: PeerWatch.Token?

  init(
    _ number: UInt64, of board: BoardObject, for application: Application, by access: BoardAccess
  ) {
    sandbox = access.sandboxOfQuotas
    self.number = number
    path = Dragboard.viewPath(number)
    self.board = board
    self.application = application
    service = board.service
  }

  /// The ids of the rows that are selected.
  var selection: [String] { state.selection.map(service.ids.id) }

  /// The id of the row that Commit would select; "" for none.
  var pending: String { wireID(state.pending(on: board.board)) }

  // MARK: Opening and closing

  /// Follows the board's edits, and closes with the one connection that it is for.
  func open() {
    board.add(self)
    guard case .uniqueName(let name) = application else { return }
    departure = service.peers.onDeparture(of: name) { [weak self] in
      guard let self else { return }
      service.batch.beginStep()
      service.views.close(self)
    }
  }

  /// Follows nothing any more.
  func didClose() {
    board.remove(self)
    if let departure { service.peers.forget(departure) }
    departure = nil
  }

  // MARK: Calls

  func setEditing(_ isEditing: Bool, _ call: Call) throws(DBusError) {
    try checkOwner(call)
    change { $0.setEditing(isEditing) }
  }

  /// Selects rows, whose number has been checked.
  func select(_ items: [String], _ call: Call) throws(DBusError) {
    try board.checkDistinct(items)
    try checkOwner(call)
    try service.checkNamedRows(items.count - state.selection.count, by: sandbox)
    service.batch.reading(board)
    let rows = try board.rows(items)
    try attempt { state throws(ViewError) in try state.select(rows, on: board.board) }
  }

  func selectRow(_ section: UInt32, _ row: UInt32, _ call: Call) throws(DBusError) {
    try checkOwner(call)
    let path = IndexPath(section: Int(section), row: Int(row))
    try attempt { state throws(ViewError) in try state.selectRow(at: path, on: board.board) }
  }

  func deselect(_ call: Call) throws(DBusError) {
    try checkOwner(call)
    change { $0.deselect() }
  }

  func setReselect(_ call: Call) throws(DBusError) -> String {
    try checkOwner(call)
    var row: RowID?
    change { row = $0.setReselect(on: board.board) }
    return wireID(row)
  }

  func commit(_ call: Call) throws(DBusError) -> String {
    try checkOwner(call)
    var row: RowID?
    try attempt { state throws(ViewError) in row = try state.commit(on: board.board) }
    return wireID(row)
  }

  func reselect(_ call: Call) throws(DBusError) -> String {
    try checkOwner(call)
    var row: RowID?
    try attempt { state throws(ViewError) in row = try state.reselect(on: board.board) }
    return wireID(row)
  }

  func close(_ call: Call) throws(DBusError) {
    try checkOwner(call)
    service.views.close(self)
  }

  func setAllowsMultipleSelection(_ allows: Bool, _ call: Call) throws(DBusError) {
    try checkOwner(call)
    change { $0.setAllowsMultipleSelection(allows, on: board.board) }
  }

  /// Refuses everybody but the application that opened the view.
  private func checkOwner(_ call: Call) throws(DBusError) {
    guard call.caller.counts(as: application) else {
      throw DBusError(
        .accessDenied, "only \(application), which opened the view \(path), may do that to it")
    }
  }

  // MARK: Changes

  /// Goes where an edit of the board takes it.
  func follow(_ revision: Revision) {
    change { $0.follow(revision, on: board.board) }
  }

  private func attempt(
    _ body: (inout ViewState) throws(ViewError) -> Void
  ) throws(DBusError) {
    do throws(ViewError) { try change(body) } catch {
      switch error {
      case .editing: throw DBusError(.editing, "\(error)")
      case .severalRows: throw DBusError(.invalidArgs, "items: \(error)")
      case .refused(let refusal): throw board.answer(refusal)
      }
    }
  }

  /// Changes the state, and notes for those who look what that has changed; a batch that fails takes it back.
  private func change<Failure: Error>(
    _ body: (inout ViewState) throws(Failure) -> Void
  ) throws(Failure) {
    service.batch.reading(board)
    service.batch.reading(self)
    let (earlier, earlierTold) = (state, told)
    try body(&state)
    noteChanges()
    // What is pending changes with the rows of the board, though the state may be the same.
    guard service.batch.isProvisional, state != earlier || told != earlierTold else { return }
    service.batch.touch(self) { [self] in (state, told) = (earlier, earlierTold) }
  }

  /// What of a view can be seen on the bus and changes.
  private struct Appearance: Equatable {
    var isEditing = false
    var allowsMultipleSelection = false
    var selection: [RowID] = []
    var pending: RowID?
  }

  private func noteChanges() {
    let pending = state.pending(on: board.board)
    if told.isEditing != state.isEditing { note(ViewInterface.editing) }
    if told.selection != state.selection { note(ViewInterface.selection) }
    if told.pending != pending { note(ViewInterface.pending) }
    if told.allowsMultipleSelection != state.allowsMultipleSelection {
      note(ViewInterface.allowsMultipleSelection)
    }
    told = Appearance(
      isEditing: state.isEditing, allowsMultipleSelection: state.allowsMultipleSelection,
      selection: state.selection, pending: pending)
  }

  private func note<Value>(_ property: PropertyDeclaration<Value>) {
    service.server.noteChange(of: property, at: path)
  }

  private func wireID(_ row: RowID?) -> String { row.map(service.ids.id) ?? "" }
}
