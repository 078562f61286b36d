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

  /// The kind that stands on the wire as that number; nil for one that a later protocol may bring.
  init?(code: Int32) {
    switch code {
    case DBUS_MESSAGE_TYPE_METHOD_CALL: self = .methodCall
    case DBUS_MESSAGE_TYPE_METHOD_RETURN: self = .methodReturn
    case DBUS_MESSAGE_TYPE_ERROR: self = .error
    case DBUS_MESSAGE_TYPE_SIGNAL: self = .signal
    default: return nil
    }
  }

  /// The number that stands for it on the wire.
  var code: Int32 {
    switch self {
    case .methodCall: DBUS_MESSAGE_TYPE_METHOD_CALL
    case .methodReturn: DBUS_MESSAGE_TYPE_METHOD_RETURN
    case .error: DBUS_MESSAGE_TYPE_ERROR
    case .signal: DBUS_MESSAGE_TYPE_SIGNAL
    }
  }
}
