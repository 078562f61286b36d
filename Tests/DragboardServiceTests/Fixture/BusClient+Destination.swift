import DBus
import DragboardInterface
import Files
import TestSupport

/// The common calls of tests to accepted drops.
extension BusClient {
  /// Accepts the drop.
  @discardableResult
  func accept(
    _ session: ObjectPath, as application: String = "", _ operation: String = "copy"
  ) throws(DBusError) -> String {
    try call(DragSessionInterface.accept, at: session, application, operation)
  }

  /// Loads plain text.
  func loadText(_ item: UInt32 = 0, of session: ObjectPath) throws(DBusError) -> String {
    try call(DragSessionInterface.loadText, at: session, item)
  }

  /// Loads bytes.
  func loadData(
    _ type: String, item: UInt32 = 0, of session: ObjectPath
  ) throws(DBusError) -> [UInt8] {
    try call(DragSessionInterface.loadData, at: session, item, type)
  }

  /// Loads a file.
  func loadFile(
    _ type: String, item: UInt32 = 0, of session: ObjectPath
  ) throws(DBusError) -> FileDescriptor {
    let file = try call(DragSessionInterface.loadFile, at: session, item, type)
    return file
  }

  /// Finishes the drop.
  func finish(_ session: ObjectPath) throws(DBusError) {
    try call(DragSessionInterface.finish, at: session)
  }

  /// Adds an item, given as type and text, whose bytes every client may see.
  @discardableResult
  func addItem(
    _ representations: KeyValuePairs<String, String>, to session: ObjectPath
  ) throws(DBusError) -> UInt32 {
    let item = try call(DragSessionInterface.addItem, at: session, "")
    for (type, text) in representations { try register(type, text, item: item, of: session) }
    return item
  }
}
