import CDBus

extension Message {
  /// Counts the elements of an array argument and of its nested arrays; stops above `limit`.
  ///
  /// A nested array of numbers is read at once, so it counts as one element. Its numbers are
  /// counted separately if `countsNumbers` is true, or if the array is in a dictionary, because
  /// each number in a variant becomes a `Value`.
  func elementCount(ofArgument index: Int, upTo limit: Int, countsNumbers: Bool) -> Int {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(raw, &iterator) != 0 else { return 0 }
    for _ in 0..<index { dbus_message_iter_next(&iterator) }
    var count = 0
    Self.countElements(of: &iterator, &count, upTo: limit, countsNumbers)
    return count
  }

  /// The recursion is limited, because libdbus limits nesting to 64 levels.
  private static func countElements(
    of iterator: inout DBusMessageIter, _ count: inout Int, upTo limit: Int, _ countsNumbers: Bool
  ) {
    let type = dbus_message_iter_get_arg_type(&iterator)
    guard dbus_type_is_container(type) != 0 else { return }
    let countsNumbers = countsNumbers || type == CDBUS_TYPE_DICT_ENTRY
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    while count <= limit, dbus_message_iter_get_arg_type(&inner) != CDBUS_TYPE_INVALID {
      if type == CDBUS_TYPE_ARRAY { count += 1 }
      if countsNumbers || !isOfFixedSize(&inner, dbus_message_iter_get_arg_type(&inner)) {
        countElements(of: &inner, &count, upTo: limit, countsNumbers)
      }
      dbus_message_iter_next(&inner)
    }
  }
}
