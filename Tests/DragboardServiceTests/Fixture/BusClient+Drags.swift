import DBus
import DragboardInterface
import TestSupport

/// The reply to ProposeDrop.
struct Proposal: Hashable, CustomStringConvertible {
  let operation: String
  let intent: String
  let section: UInt32
  let row: UInt32
  var description: String { "\(operation) \(intent) \(section).\(row)" }
}

/// The reply to PerformDrop.
struct DropResult: Hashable, CustomStringConvertible {
  let operation: String
  let items: [String]
  var description: String { "\(operation) \(items)" }
}

/// The common calls of tests to drags.
extension BusClient {
  /// Begins a drag of texts.
  func drag(_ texts: [String], as application: String = "org.source") throws(DBusError)
    -> ObjectPath
  {
    try call(ManagerInterface.beginTextDrag, at: Dragboard.root, application, texts)
  }

  /// Begins a drag without items.
  func beginDrag(as application: String = "org.source") throws(DBusError) -> ObjectPath {
    try call(ManagerInterface.beginDrag, at: Dragboard.root, application)
  }

  /// Begins a drag of rows.
  func drag(
    rows: [String], of board: ObjectPath = BusClient.board, as application: String = "org.source"
  ) throws(DBusError) -> ObjectPath {
    try call(DragSourceInterface.beginDrag, at: board, application, rows)
  }

  /// Registers a representation.
  func register(
    _ type: String, _ text: String, visibility: String = "all", item: UInt32 = 0,
    of session: ObjectPath
  ) throws(DBusError) {
    try call(
      DragSessionInterface.registerData, at: session, item, type, visibility, Array(text.utf8))
  }

  /// Calls ProposeDrop.
  func propose(
    _ session: ObjectPath, as application: String = "org.target", section: UInt32 = 0,
    row: Int32 = -1, on board: ObjectPath = BusClient.board
  ) throws(DBusError) -> Proposal {
    let answer = try call(
      DropTargetInterface.proposeDrop, at: board, session, application, section, row)
    return Proposal(
      operation: answer.0, intent: answer.1, section: answer.2, row: answer.3)
  }

  /// Calls PerformDrop.
  @discardableResult
  func drop(
    _ session: ObjectPath, as application: String = "org.target", section: UInt32 = 0,
    row: Int32 = -1, on board: ObjectPath = BusClient.board
  ) throws(DBusError) -> DropResult {
    let (operation, items) = try call(
      DropTargetInterface.performDrop, at: board, session, application, section, row)
    return DropResult(operation: operation, items: items)
  }

  /// Ends a session without a drop.
  func cancel(_ session: ObjectPath) throws(DBusError) {
    try call(DragSessionInterface.cancel, at: session)
  }

  /// Returns the state of a session and its operation.
  func standing(of session: ObjectPath) throws(DBusError) -> String {
    let state = try get(DragSessionInterface.state, at: session)
    return try "\(state) \(get(DragSessionInterface.operation, at: session))"
  }
}
