import CDBus

/// Reads the arguments of a message, one after the other.
///
/// Every read trusts the signature that was checked before: `BusValue`s are read through `Message.arguments`, which checks it.
public struct MessageReader {
  private let message: Message
  private var iterator = DBusMessageIter()

  /// Stands before the first argument.
  @usableFromInline
  init(_ message: Message) {
    self.message = message
    dbus_message_iter_init(message.raw, &iterator)
  }

  private init(_ message: Message, _ iterator: DBusMessageIter) {
    self.message = message
    self.iterator = iterator
  }

  /// The type code of the next value; `CDBUS_TYPE_INVALID` at the end.
  var type: Int32 { mutating get { dbus_message_iter_get_arg_type(&iterator) } }

  /// Whether nothing is left at this level.
  public var isAtEnd: Bool { mutating get { type == CDBUS_TYPE_INVALID } }

  /// The next value's signature.
  mutating func signature() -> Signature {
    guard let text = dbus_message_iter_get_signature(&iterator) else { return "" }
    defer { dbus_free(text) }
    return Signature(unchecked: String(cString: text))
  }

  /// The next value, of a fixed-size basic type that fits `initial`.
  mutating func basic<T: BitwiseCopyable>(_ initial: T) -> T {
    var value = initial
    dbus_message_iter_get_basic(&iterator, &value)
    dbus_message_iter_next(&iterator)
    return value
  }

  /// The next value, a string, object path or signature.
  public mutating func string() -> String {
    var pointer: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &pointer)
    dbus_message_iter_next(&iterator)
    return pointer.map { String(cString: $0) } ?? ""
  }

  /// Enters the next value, a container, and hands its contents to `body`.
  public mutating func container<Result, Failure: Error>(
    _ body: (inout MessageReader) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var inner = MessageReader(message, DBusMessageIter())
    dbus_message_iter_recurse(&iterator, &inner.iterator)
    let result = try body(&inner)
    dbus_message_iter_next(&iterator)
    return result
  }

  /// The next value, an array of elements of fixed size, where it lies in the message.
  ///
  /// The corresponding C function is `dbus_message_iter_get_fixed_array`.
  mutating func fixedArray<Element: BitwiseCopyable, Result>(
    of type: Element.Type, _ body: (UnsafeBufferPointer<Element>) -> Result
  ) -> Result {
    container { inner in
      var start: UnsafeRawPointer?
      var count: Int32 = 0
      dbus_message_iter_get_fixed_array(&inner.iterator, &start, &count)
      // The signature, checked before, says that there are such elements; libdbus has them aligned.
      let elements = UnsafeBufferPointer(
        start: start?.assumingMemoryBound(to: Element.self), count: start == nil ? 0 : Int(count))
      return body(elements)
    }
  }
}
