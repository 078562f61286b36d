import DBus
import DragboardInterface
import TestSupport

/// The observable state of a view.
struct ViewLook: Hashable {
  var isEditing = false
  var selection: [String] = []
  var pending = ""
  var allowsMultipleSelection = false

  /// Returns the properties, by name, of a PropertiesChanged in which every property is new.
  var properties: [String: Value] {
    [
      "Editing": .boolean(isEditing), "Selection": .array(of: "s", selection.map { .string($0) }),
      "Pending": .string(pending), "AllowsMultipleSelection": .boolean(allowsMultipleSelection),
    ]
  }
}

/// The common calls of tests to views.
extension BusClient {
  /// Opens a view of a board.
  func openView(
    of board: ObjectPath = BusClient.board, as application: String = "org.viewer"
  ) throws(DBusError) -> ObjectPath {
    try call(ViewsInterface.openView, at: board, application)
  }

  /// Selects rows.
  func select(_ items: [String], in view: ObjectPath) throws(DBusError) {
    try call(ViewInterface.select, at: view, items)
  }

  /// Enters or leaves edit mode.
  func setEditing(_ isEditing: Bool, in view: ObjectPath) throws(DBusError) {
    try call(ViewInterface.setEditing, at: view, isEditing)
  }

  /// Computes the pending item and returns it.
  @discardableResult
  func setReselect(in view: ObjectPath) throws(DBusError) -> String {
    try call(ViewInterface.setReselect, at: view)
  }

  /// Selects the pending item and returns it.
  @discardableResult
  func commit(in view: ObjectPath) throws(DBusError) -> String {
    try call(ViewInterface.commit, at: view)
  }

  /// Computes the pending item, selects it and returns it.
  @discardableResult
  func reselect(in view: ObjectPath) throws(DBusError) -> String {
    try call(ViewInterface.reselect, at: view)
  }

  /// Closes a view.
  func close(_ view: ObjectPath) throws(DBusError) { try call(ViewInterface.close, at: view) }

  /// Returns the properties of a view; each is read with a call.
  func look(at view: ObjectPath) throws -> ViewLook {
    func value<Value: BusValue>(_ property: PropertyDeclaration<Value>) throws -> DBus.Value {
      try wait(for: getting(property, at: view)).arguments(as: Variant.self).value
    }
    guard
      case .boolean(let isEditing) = try value(ViewInterface.editing),
      case .array(_, let items) = try value(ViewInterface.selection),
      case .string(let pending) = try value(ViewInterface.pending),
      case .boolean(let allows) = try value(ViewInterface.allowsMultipleSelection)
    else { throw DBusError(.invalidArgs, "a property of \(view) is of another type") }
    let selection = items.compactMap { if case .string(let item) = $0 { item } else { nil } }
    return ViewLook(
      isEditing: isEditing, selection: selection, pending: pending, allowsMultipleSelection: allows)
  }

  /// Takes every PropertiesChanged signal of an object that has arrived, and returns the new values
  /// by name.
  func takeChanges(at path: ObjectPath) throws -> [[String: Value]] {
    try takeSignals().filter { $0.member == "PropertiesChanged" && $0.path == path.text }
      .map { try $0.changedProperties }
  }

  /// Returns the objects that ObjectManager reports.
  func objects() throws(DBusError) -> Set<ObjectPath> {
    Set(try call(ObjectManagerInterface.getManagedObjects, at: Dragboard.root).keys)
  }

  /// Waits for the next InterfacesRemoved signal, and returns its object.
  func nextGone() throws -> ObjectPath {
    try next("InterfacesRemoved").message.arguments(as: ObjectPath.self, [String].self).0
  }
}
