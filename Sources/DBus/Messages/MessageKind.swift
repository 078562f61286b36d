import CDBus

/// The kind of a message.
public enum MessageKind: Sendable {
  /// A call of a method.
  case methodCall
  /// The reply to a call.
  case methodReturn
  /// The error in reply to a call.
  case error
  /// A signal to subscribers.
  case signal

  /// Returns the kind with this number on the wire; nil for a kind of a later protocol.
  init?(code: Int32) {
    switch code {
    case DBUS_MESSAGE_TYPE_METHOD_CALL: self = .methodCall
    case DBUS_MESSAGE_TYPE_METHOD_RETURN: self = .methodReturn
    case DBUS_MESSAGE_TYPE_ERROR: self = .error
    case DBUS_MESSAGE_TYPE_SIGNAL: self = .signal
    default: return nil
    }
  }

  /// The number on the wire.
  var code: Int32 {
    switch self {
    case .methodCall: DBUS_MESSAGE_TYPE_METHOD_CALL
    case .methodReturn: DBUS_MESSAGE_TYPE_METHOD_RETURN
    case .error: DBUS_MESSAGE_TYPE_ERROR
    case .signal: DBUS_MESSAGE_TYPE_SIGNAL
    }
  }
}
