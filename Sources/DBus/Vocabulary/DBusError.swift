/// An error on the bus: a name for programs and a sentence for people.
///
/// Source: the D-Bus specification, "Message Types"; the standard names are in `dbus-protocol.h`.
public struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error's name on the wire.
  public let name: ErrorName
  /// The argument, the problem and the valid values.
  public let message: String

  /// Creates an error.
  public init(_ name: ErrorName, _ message: String) {
    self.name = name
    self.message = message
  }

  /// The name, followed by the message.
  public var description: String { "\(name): \(message)" }
}

extension ErrorName {
  /// A failure that has no other error name.
  public static let failed: ErrorName = "org.freedesktop.DBus.Error.Failed"
  /// The type or the value of an argument is not valid for the method.
  public static let invalidArgs: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"
  /// The caller has no permission.
  public static let accessDenied: ErrorName = "org.freedesktop.DBus.Error.AccessDenied"
  /// The call would exceed a limit of the receiver.
  public static let limitsExceeded: ErrorName = "org.freedesktop.DBus.Error.LimitsExceeded"
  /// Reading or writing failed, for example on a disk or a pipe.
  public static let ioError: ErrorName = "org.freedesktop.DBus.Error.IOError"
  /// There is no object at the path.
  public static let unknownObject: ErrorName = "org.freedesktop.DBus.Error.UnknownObject"
  /// The object has no such interface.
  public static let unknownInterface: ErrorName = "org.freedesktop.DBus.Error.UnknownInterface"
  /// The object has no such method.
  public static let unknownMethod: ErrorName = "org.freedesktop.DBus.Error.UnknownMethod"
  /// The interface has no such property.
  public static let unknownProperty: ErrorName = "org.freedesktop.DBus.Error.UnknownProperty"
  /// The property cannot be set.
  public static let propertyReadOnly: ErrorName = "org.freedesktop.DBus.Error.PropertyReadOnly"
  /// The name has no owner, and no service can be started for it.
  public static let serviceUnknown: ErrorName = "org.freedesktop.DBus.Error.ServiceUnknown"
  /// The name has no owner.
  public static let nameHasNoOwner: ErrorName = "org.freedesktop.DBus.Error.NameHasNoOwner"
  /// The call got no reply: its receiver left, or took too long.
  public static let noReply: ErrorName = "org.freedesktop.DBus.Error.NoReply"
  /// The caller cancelled the call; never on the wire.
  public static let cancelled: ErrorName = "org.freedesktop.DBus.Error.Cancelled"
  /// The connection to the bus is lost.
  public static let disconnected: ErrorName = "org.freedesktop.DBus.Error.Disconnected"
  /// There is no bus at the address.
  public static let noServer: ErrorName = "org.freedesktop.DBus.Error.NoServer"
}
