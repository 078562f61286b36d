import DBus
import DragboardStore

extension StoreError {
  /// The error that a client gets.
  var answer: DBusError { DBusError(.ioError, "\(self)") }
}

extension DBusError {
  /// The error, naming the item and the type that could not be read; another error as it is.
  func reading(_ type: String, ofItem item: some CustomStringConvertible) -> DBusError {
    guard name == ErrorName.ioError else { return self }
    return DBusError(.ioError, "item \(item): its \(type) cannot be read: \(message)")
  }
}
