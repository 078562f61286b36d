import DBus
import DragboardStore

extension StoreError {
  /// The error for the client.
  var answer: DBusError { DBusError(.ioError, "\(self)") }
}

extension DBusError {
  /// Returns an IOError with the names of the item and the type that cannot be read.
  ///
  /// Other errors do not change.
  func reading(_ type: String, ofItem item: some CustomStringConvertible) -> DBusError {
    guard name == ErrorName.ioError else { return self }
    return DBusError(.ioError, "item: \(type) of \(item) cannot be read: \(message)")
  }
}
