import CDBus

/// A received message.
///
/// `Sendable` is unchecked, because libdbus counts references atomically, and the message is only
/// read.
public final class Message: @unchecked Sendable {
  let raw: OpaquePointer

  /// Adopts the caller's reference (`dbus_connection_pop_message`).
  init(adopting raw: OpaquePointer) { self.raw = raw }

  deinit { dbus_message_unref(raw) }

  // MARK: Header

  /// The kind of the message; nil if it is unknown, because a later protocol defines it.
  public var kind: MessageKind? { MessageKind(code: dbus_message_get_type(raw)) }

  /// The serial that the sender assigned.
  public var serial: UInt32 { dbus_message_get_serial(raw) }
  /// The serial of the call that this message answers; 0 if it is not an answer.
  public var replySerial: UInt32 { dbus_message_get_reply_serial(raw) }
  /// The unique name of the sender, which the bus guarantees.
  public var sender: String? { text(dbus_message_get_sender) }
  /// The receiver; nil for a broadcast.
  public var destination: String? { text(dbus_message_get_destination) }
  /// The object that is called, or that emits the signal.
  public var path: String? { text(dbus_message_get_path) }
  /// The interface of the member; optional in a call.
  public var interface: String? { text(dbus_message_get_interface) }
  /// The name of the method or signal.
  public var member: String? { text(dbus_message_get_member) }
  /// The name of the error; nil if the message is not an error.
  public var errorName: String? { text(dbus_message_get_error_name) }

  /// Whether the sender of this call waits for an answer.
  public var expectsReply: Bool {
    dbus_message_get_type(raw) == DBUS_MESSAGE_TYPE_METHOD_CALL
      && dbus_message_get_no_reply(raw) == 0
  }

  /// The types of the arguments.
  public var signature: Signature { Signature(unchecked: text(dbus_message_get_signature) ?? "") }

  @inline(__always)
  private func text(_ get: (OpaquePointer) -> UnsafePointer<CChar>?) -> String? {
    get(raw).map { String(cString: $0) }
  }

  // MARK: Contents

  /// Returns whether the arguments have exactly these types.
  ///
  /// The corresponding C function is `dbus_message_has_signature`.
  public func hasSignature(_ signature: Signature) -> Bool {
    signature.text.withCString { dbus_message_has_signature(raw, $0) } != 0
  }

  /// Returns whether the connection with this unique name sent the message, without copying the
  /// name.
  ///
  /// The corresponding C function is `dbus_message_has_sender`.
  public func isFrom(_ uniqueName: String) -> Bool {
    uniqueName.withCString { dbus_message_has_sender(raw, $0) } != 0
  }

  var namesInterface: Bool { dbus_message_get_interface(raw) != nil }

  /// Returns whether the message names this interface, without copying its name.
  ///
  /// The corresponding C function is `dbus_message_has_interface`.
  func isOf(_ interface: InterfaceName) -> Bool {
    interface.text.withCString { dbus_message_has_interface(raw, $0) } != 0
  }

  /// The error in this message; nil if the message is not an error.
  public var error: DBusError? {
    guard let name = errorName else { return nil }
    var message = ""
    if signature.text.utf8.first == UInt8(ascii: "s") {
      var reader = MessageReader(self)
      message = reader.string()
    }
    return DBusError(ErrorName(unchecked: name), message)
  }
}
