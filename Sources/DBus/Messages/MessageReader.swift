import CDBus

/// A reader of a message's arguments.
///
/// The reader does not check types. `Message.arguments` checks the signature before it reads
/// `BusValue`s.
public struct MessageReader {
  private let message: Message
  private var iterator = DBusMessageIter()
  /// Whether the iterator is still at the value that was read last.
  ///
  /// To pass a structure or a variant, libdbus reads its contents again. So the iterator moves only
  /// when the next value is needed, and never behind the last value of a container.
  private var isBehind = false

  /// Creates a reader at the first argument.
  @usableFromInline
  init(_ message: Message) {
    self.message = message
    dbus_message_iter_init(message.raw, &iterator)
  }

  private init(_ message: Message, _ iterator: DBusMessageIter) {
    self.message = message
    self.iterator = iterator
  }

  /// Moves the iterator to the next value.
  private mutating func advance() {
    guard isBehind else { return }
    isBehind = false
    dbus_message_iter_next(&iterator)
  }

  /// The type code of the next value; `CDBUS_TYPE_INVALID` at the end.
  var type: Int32 {
    mutating get {
      advance()
      return dbus_message_iter_get_arg_type(&iterator)
    }
  }

  /// Whether no value is left at this level.
  public var isAtEnd: Bool { mutating get { type == CDBUS_TYPE_INVALID } }

  /// Returns the signature of the next value.
  public mutating func signature() -> Signature {
    advance()
    guard let text = dbus_message_iter_get_signature(&iterator) else { return "" }
    defer { dbus_free(text) }
    return Signature(unchecked: String(cString: text))
  }

  /// Reads a value of a basic type of fixed size, which is the type of `initial`.
  mutating func basic<T: BitwiseCopyable>(_ initial: T) -> T {
    advance()
    var value = initial
    dbus_message_iter_get_basic(&iterator, &value)
    isBehind = true
    return value
  }

  /// Reads a string, an object path or a signature.
  public mutating func string() -> String {
    advance()
    var pointer: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &pointer)
    isBehind = true
    return pointer.map { String(cString: $0) } ?? ""
  }

  /// Enters the next value, a container, and passes its contents to `body`.
  public mutating func container<Result, Failure: Error>(
    _ body: (inout MessageReader) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    advance()
    var inner = MessageReader(message, DBusMessageIter())
    dbus_message_iter_recurse(&iterator, &inner.iterator)
    isBehind = true
    return try body(&inner)
  }

  /// Passes the next value, an array of elements of fixed size, to `body` without copying it.
  ///
  /// The corresponding C function is `dbus_message_iter_get_fixed_array`.
  mutating func fixedArray<Element: BitwiseCopyable, Result>(
    of type: Element.Type, _ body: (UnsafeBufferPointer<Element>) -> Result
  ) -> Result {
    container { inner in
      var start: UnsafeRawPointer?
      var count: Int32 = 0
      dbus_message_iter_get_fixed_array(&inner.iterator, &start, &count)
      // The elements have this type, because the signature was checked. libdbus aligns them.
      let elements = UnsafeBufferPointer(
        start: start?.assumingMemoryBound(to: Element.self), count: start == nil ? 0 : Int(count))
      return body(elements)
    }
  }
}
