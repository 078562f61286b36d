import DBus

/// Checks of the number of elements in a list, before any of them is decoded.
enum ListCheck {
  typealias Check<Object> = (Object, Call) throws(DBusError) -> Void

  /// Refuses a list with too many elements; nested lists count, too.
  ///
  /// - Parameters:
  ///   - max: the maximum number of elements.
  ///   - index: the index of the list among the arguments.
  ///   - limit: the name of the limit in the error, after the name of the argument.
  /// - Returns: the check; it throws LimitsExceeded.
  static func atMost<Object>(
    _ max: Int, ofArgument index: Int, _ limit: String
  ) -> Check<Object> {
    { (_, call) throws(DBusError) in
      guard call.elementCount(ofArgument: index, upTo: max) <= max else {
        throw .limit(limit, max)
      }
    }
  }

  /// Refuses a sandboxed caller, then a list with too many elements.
  static func governing<Object>(_ check: @escaping Check<Object>) -> Check<Object> {
    { (object, call) throws(DBusError) in
      try call.client.access.checkGoverns()
      try check(object, call)
    }
  }
}
