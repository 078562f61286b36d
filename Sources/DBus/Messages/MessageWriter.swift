import CDBus
import Glibc

/// Appends arguments to a message that is being made.
public struct MessageWriter {
  private let message: Message
  private var iterator = DBusMessageIter()

  /// Stands behind the last argument.
  @usableFromInline
  init(_ message: Message) {
    self.message = message
    dbus_message_iter_init_append(message.raw, &iterator)
  }

  private init(inside message: Message) { self.message = message }

  /// Whether the bus would not carry the message as it is already.
  var isTooLarge: Bool { message.size.isTooLarge }

  /// Appends a value of a fixed-size basic type.
  mutating func basic<T: BitwiseCopyable>(_ value: T, as type: Int32) {
    var value = value
    message.size.add(0)
    granted(dbus_message_iter_append_basic(&iterator, type, &value))
  }

  /// Appends a string; a U+0000, which the bus cannot carry, becomes U+FFFD.
  public mutating func append(_ text: String) { string(text, as: CDBUS_TYPE_STRING) }

  mutating func string(_ text: String, as type: Int32) {
    let text = String(carriedByBus: text)
    message.size.add(text.utf8.count)
    text.withCString { pointer in
      var pointer: UnsafePointer<CChar>? = pointer
      granted(dbus_message_iter_append_basic(&iterator, type, &pointer))
    }
  }

  /// Opens a container, lets `body` fill it, and closes it.
  mutating func container(
    _ type: Int32, of contents: Signature? = nil, _ body: (inout MessageWriter) -> Void
  ) {
    var inner = MessageWriter(inside: message)
    let isOpen = contents.withCString {
      dbus_message_iter_open_container(&iterator, type, $0, &inner.iterator)
    }
    granted(isOpen)
    message.size.add(0)
    let start = message.size.bytes
    body(&inner)
    if type == CDBUS_TYPE_ARRAY { message.size.noteArray(since: start) }
    granted(dbus_message_iter_close_container(&iterator, &inner.iterator))
  }

  /// Appends elements of fixed size at once; of more than an array holds, which libdbus would not survive, none.
  ///
  /// The corresponding C function is `dbus_message_iter_append_fixed_array`.
  mutating func fixedArray<Element: BitwiseCopyable>(
    _ elements: UnsafeBufferPointer<Element>, as type: Int32
  ) {
    let signature = Signature(unchecked: String(UnicodeScalar(UInt8(truncatingIfNeeded: type))))
    container(CDBUS_TYPE_ARRAY, of: signature) { inner in
      let bytes = elements.count * MemoryLayout<Element>.stride
      inner.message.size.add(bytes - 8)
      guard bytes <= MessageSize.largestArray else { return }
      guard var start = elements.baseAddress else { return }
      inner.granted(
        dbus_message_iter_append_fixed_array(
          &inner.iterator, type, &start, Int32(elements.count)))
    }
  }

  /// Memory is the one thing that libdbus may not get; a process that has none left cannot answer anybody.
  private func granted(_ result: dbus_bool_t) {
    precondition(result != 0, "libdbus has no memory for a message")
  }
}

extension String {
  /// The same text, with U+FFFD for every U+0000.
  ///
  /// C's own search for it takes a few instructions; the view, one byte after the other, took thirty times as many.
  init(carriedByBus text: String) {
    guard text.withCString(strlen) < text.utf8.count else {
      self = text
      return
    }
    self.init(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
  }
}

extension Signature? {
  /// The signature where it lies, or no pointer; handed to a C function as a `String`, it would be copied to the heap.
  fileprivate func withCString<Result>(_ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let self else { return body(nil) }
    return self.text.withCString { body($0) }
  }
}
