import CDBus

/// What a message is for.
public enum MessageKind: Sendable {
  /// Asks an object for something.
  case methodCall
  /// Answers a call.
  case methodReturn
  /// Refuses a call.
  case error
  /// Tells whoever listens.
  case signal
}

/// One message, as it came or as it will go.
///
/// Unchecked, because libdbus counts references atomically and a message is written by the one who makes it, before anybody
/// else has it; one that was received or sent is only read.
public final class Message: @unchecked Sendable {
  let raw: OpaquePointer
  /// How large it has become while it was being made; of a message that was received nothing is counted.
  var size = MessageSize()

  /// Takes over the caller's reference (`dbus_message_new…`, `dbus_connection_pop_message`).
  init(adopting raw: OpaquePointer) { self.raw = raw }

  deinit { dbus_message_unref(raw) }

  /// What the message is for; nil for a kind that a later protocol may bring.
  public var kind: MessageKind? {
    switch dbus_message_get_type(raw) {
    case DBUS_MESSAGE_TYPE_METHOD_CALL: .methodCall
    case DBUS_MESSAGE_TYPE_METHOD_RETURN: .methodReturn
    case DBUS_MESSAGE_TYPE_ERROR: .error
    case DBUS_MESSAGE_TYPE_SIGNAL: .signal
    default: nil
    }
  }

  /// The number its sender gave it; 0 before it is sent.
  public var serial: UInt32 { dbus_message_get_serial(raw) }
  /// The serial of the call that this answers; 0 for what is no answer.
  public var replySerial: UInt32 { dbus_message_get_reply_serial(raw) }
  /// The unique name of the connection that sent it; the bus vouches for it.
  public var sender: String? { Self.text(dbus_message_get_sender(raw)) }
  /// For whom it is; nil for a broadcast.
  public var destination: String? { Self.text(dbus_message_get_destination(raw)) }
  /// The object that is called, or that tells.
  public var path: String? { Self.text(dbus_message_get_path(raw)) }
  /// The interface of the member; a call may leave it out.
  public var interface: String? { Self.text(dbus_message_get_interface(raw)) }
  /// The method or signal.
  public var member: String? { Self.text(dbus_message_get_member(raw)) }
  /// The name of the error that this message is.
  public var errorName: String? { Self.text(dbus_message_get_error_name(raw)) }
  /// The types of the arguments.
  public var signature: Signature {
    Signature(unchecked: Self.text(dbus_message_get_signature(raw)) ?? "")
  }
  /// Whether the sender of this call waits for an answer.
  public var expectsReply: Bool {
    dbus_message_get_type(raw) == DBUS_MESSAGE_TYPE_METHOD_CALL
      && dbus_message_get_no_reply(raw) == 0
  }

  /// Whether the arguments have exactly these types.
  ///
  /// The corresponding C function is `dbus_message_has_signature`.
  public func hasSignature(_ signature: Signature) -> Bool {
    signature.text.withCString { dbus_message_has_signature(raw, $0) } != 0
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

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}
