import CDBus

/// An error of libdbus, which is freed with the value.
struct LibraryError: ~Copyable {
  private var raw = CDBus.DBusError()

  init() { dbus_error_init(&raw) }
  deinit {
    var last = raw
    dbus_error_free(&last)
  }

  /// Calls a C function that may set an error, and throws this error.
  static func check<Result>(
    _ body: (UnsafeMutablePointer<CDBus.DBusError>) -> Result
  ) throws(DBusError) -> Result {
    var error = LibraryError()
    let result = body(&error.raw)
    if dbus_error_is_set(&error.raw) != 0 { throw error.value }
    return result
  }

  private var value: DBusError {
    DBusError(
      ErrorName(unchecked: raw.name.map { String(cString: $0) } ?? ErrorName.failed.text),
      raw.message.map { String(cString: $0) } ?? "no message")
  }
}
