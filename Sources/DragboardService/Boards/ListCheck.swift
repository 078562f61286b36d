import DBus
import DragModel

/// Checks of the number of elements in a list argument, before the list is decoded.
enum ListCheck {
  typealias Check<Object> = (Object, Call) throws(DBusError) -> Void

  /// Returns a check that refuses a list with too many elements.
  ///
  /// Elements of nested lists count, too.
  ///
  /// - Parameters:
  ///   - max: the maximum number of elements.
  ///   - index: the index of the list among the arguments.
  ///   - limit: the start of the error message: the argument, a colon, and the name of the limit.
  /// - Returns: the check, which throws LimitsExceeded.
  static func atMost<Object>(
    _ max: Int, ofArgument index: Int, _ limit: String
  ) -> Check<Object> {
    { (_, call) throws(DBusError) in
      guard call.elementCount(ofArgument: index, upTo: max) <= max else {
        throw .limit(limit, max)
      }
    }
  }

  /// Returns a check that refuses a dictionary of attributes with too many values.
  ///
  /// Elements of arrays in the values count, too: decoding them would take time and memory.
  static func attributes<Object>(ofArgument index: Int) -> Check<Object> {
    { (_, call) throws(DBusError) in
      let count = call.elementCount(ofArgument: index, upTo: maxAttributes, countsNumbers: true)
      guard count <= maxAttributes else {
        throw .limit("attributes: the maximum number of values", maxAttributes)
      }
    }
  }

  private static let maxAttributes = 64

  /// Returns a check of a list that a sandboxed caller may not send.
  ///
  /// The command refuses a sandboxed caller after it has checked the syntax of the elements. So a
  /// longer list of such a caller is refused before it is decoded.
  static func governing<Object>(
    ofArgument index: Int, _ check: @escaping Check<Object>
  ) -> Check<Object> {
    { (object, call) throws(DBusError) in
      let access = call.client.access
      if !access.governs,
        call.elementCount(ofArgument: index, upTo: maxOfSandboxed) > maxOfSandboxed
      {
        try access.checkGoverns()
      }
      try check(object, call)
    }
  }

  /// Returns a check of a list of rows, of which a sandboxed caller may name fewer.
  ///
  /// The service looks up the source of each row that a sandboxed caller names.
  static func rows<Object>(
    ofArgument index: Int, _ check: @escaping Check<Object>
  ) -> Check<Object> {
    let ofSandboxed: Check<Object> = atMost(
      maxOfSandboxed, ofArgument: index,
      "items: the maximum number of rows in a call of a sandboxed client")
    return { (object, call) throws(DBusError) in
      try check(object, call)
      if !call.client.access.governs { try ofSandboxed(object, call) }
    }
  }

  /// The maximum number of elements in a list of a sandboxed client.
  private static let maxOfSandboxed = 10_000
}
