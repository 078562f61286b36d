import DBus
import DragboardStore

extension StoreError {
  /// The error for the client.
  var answer: DBusError { DBusError(.ioError, "\(self)") }
}

extension DBusError {
  /// The error with the names of the item and the type that could not be read; other errors
  /// unchanged.
  func reading(_ type: String, ofItem item: some CustomStringConvertible) -> DBusError {
    guard name == ErrorName.ioError else { return self }
    return DBusError(.ioError, "item \(item): its \(type) cannot be read: \(message)")
  }
}
