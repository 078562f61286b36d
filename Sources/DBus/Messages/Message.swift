import CDBus

/// One message, as it came or as it will go.
///
/// Unchecked, because libdbus counts references atomically and a message is written by the one who makes it, before anybody
/// else has it; one that was received or sent is only read, but for the note, which is the loop's that received it.
public final class Message: @unchecked Sendable {
  /// libdbus's message, of one that came from the bus.
  private let received: OpaquePointer?
  /// What one that is made here says besides the arguments.
  private(set) var header: MessageHeader?
  private var body = MessageBody()
  /// A note for whoever admits calls: that this one, put off or not, has been let pass.
  public var hasHadTurn = false

  /// Takes over the caller's reference (`dbus_connection_pop_message`).
  init(adopting raw: OpaquePointer) { received = raw }

  /// A message to be sent, without arguments yet.
  init(_ header: MessageHeader) {
    received = nil
    self.header = header
  }

  deinit { if let received { dbus_message_unref(received) } }

  // MARK: Header

  /// What the message is for; nil for a kind that a later protocol may bring.
  public var kind: MessageKind? {
    received.map { MessageKind(code: dbus_message_get_type($0)) } ?? header?.kind
  }

  /// The number its sender gave it; 0 of a message that is made here.
  public var serial: UInt32 { number(dbus_message_get_serial) { _ in 0 } }
  /// The serial of the call that this answers; 0 for what is no answer.
  public var replySerial: UInt32 { number(dbus_message_get_reply_serial) { $0.replySerial } }
  /// The unique name of the connection that sent it; the bus vouches for it, and knows it of a message that is made here.
  public var sender: String? { text(dbus_message_get_sender) { _ in nil } }
  /// For whom it is; nil for a broadcast.
  public var destination: String? { text(dbus_message_get_destination) { $0.destination } }
  /// The object that is called, or that tells.
  public var path: String? { text(dbus_message_get_path) { $0.path } }
  /// The interface of the member; a call may leave it out.
  public var interface: String? { text(dbus_message_get_interface) { $0.interface } }
  /// The method or signal.
  public var member: String? { text(dbus_message_get_member) { $0.member } }
  /// The name of the error that this message is.
  public var errorName: String? { text(dbus_message_get_error_name) { $0.errorName } }

  /// Whether the sender of this call waits for an answer.
  public var expectsReply: Bool {
    guard let received else { return header?.expectsReply ?? false }
    return dbus_message_get_type(received) == DBUS_MESSAGE_TYPE_METHOD_CALL
      && dbus_message_get_no_reply(received) == 0
  }

  /// The types of the arguments.
  public var signature: Signature {
    guard let received else { return Signature(unchecked: body.signature) }
    return Signature(
      unchecked: dbus_message_get_signature(received).map { String(cString: $0) } ?? "")
  }

  @inline(__always)
  private func text(
    _ get: (OpaquePointer) -> UnsafePointer<CChar>?, _ made: (MessageHeader) -> String?
  ) -> String? {
    guard let received else { return header.flatMap(made) }
    return get(received).map { String(cString: $0) }
  }

  @inline(__always)
  private func number(
    _ get: (OpaquePointer) -> UInt32, _ made: (MessageHeader) -> UInt32
  ) -> UInt32 {
    received.map(get) ?? header.map(made) ?? 0
  }

  // MARK: What was received

  /// libdbus's message; to read one that is made here is a mistake of the program and traps.
  var raw: OpaquePointer {
    guard let received else {
      preconditionFailure("a message that is made here is written, not read")
    }
    return received
  }

  /// Whether the arguments have exactly these types.
  ///
  /// The corresponding C function is `dbus_message_has_signature`.
  public func hasSignature(_ signature: Signature) -> Bool {
    signature.text.withCString { dbus_message_has_signature(raw, $0) } != 0
  }

  /// Whether the connection with that unique name sent it, found out without a copy of the name.
  ///
  /// The corresponding C function is `dbus_message_has_sender`.
  public func isFrom(_ uniqueName: String) -> Bool {
    uniqueName.withCString { dbus_message_has_sender(raw, $0) } != 0
  }

  /// Whether the message names an interface at all.
  var namesInterface: Bool { dbus_message_get_interface(raw) != nil }

  /// Whether the message names that interface, found out without a copy of its name.
  ///
  /// The corresponding C function is `dbus_message_has_interface`.
  func isOf(_ interface: InterfaceName) -> Bool {
    interface.text.withCString { dbus_message_has_interface(raw, $0) } != 0
  }

  /// The error that this message is; nil for what is none.
  public var error: DBusError? {
    guard let name = errorName else { return nil }
    var message = ""
    if signature.text.utf8.first == UInt8(ascii: "s") {
      var reader = MessageReader(self)
      message = reader.string()
    }
    return DBusError(ErrorName(unchecked: name), message)
  }

  // MARK: What is made

  /// Tells the receiver that no answer is wanted; for a call that is not sent yet.
  public func expectNoReply() { header?.expectsReply = false }

  /// How many bytes of arguments a message has that is made here.
  var argumentByteCount: Int { body.byteCount }

  /// Whether the bus would not carry a message that is made here, but would close the connection.
  var isTooLarge: Bool { body.isTooLarge }

  /// Has `content` write arguments of those types behind the ones that are there; for a message that is not sent yet.
  @usableFromInline
  func write(_ types: Signature, _ content: (inout MessageWriter) -> Void) {
    var written = MessageBody()
    swap(&written, &body)
    written.add(types)
    var writer = MessageWriter(continuing: written)
    content(&writer)
    body = writer.finish()
  }

  /// Shows what a message that is made here consists of.
  func withContents<Result>(
    _ content: (MessageHeader, borrowing MessageBody) -> Result
  ) -> Result? {
    header.map { content($0, body) }
  }
}
