/// An error as the bus carries it: a name that programs read, and a sentence that people read.
///
/// Source: the D-Bus specification, "Message Types"; the standard names are those of `dbus-protocol.h`.
public struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error's name on the wire.
  public let name: ErrorName
  /// What was wrong, with which argument, and what would have been right.
  public let message: String

  /// An error of that name.
  public init(_ name: ErrorName, _ message: String) {
    self.name = name
    self.message = message
  }

  /// The name, and the message behind it.
  public var description: String { "\(name): \(message)" }
}

extension ErrorName {
  /// Something went wrong that has no name of its own.
  public static let failed: ErrorName = "org.freedesktop.DBus.Error.Failed"
  /// An argument's type or value is not what the method takes.
  public static let invalidArgs: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"
  /// The caller may not do that.
  public static let accessDenied: ErrorName = "org.freedesktop.DBus.Error.AccessDenied"
  /// It would be more than the receiver holds for anybody.
  public static let limitsExceeded: ErrorName = "org.freedesktop.DBus.Error.LimitsExceeded"
  /// Reading or writing failed: the disk, a pipe.
  public static let ioError: ErrorName = "org.freedesktop.DBus.Error.IOError"
  /// No object stands at the path.
  public static let unknownObject: ErrorName = "org.freedesktop.DBus.Error.UnknownObject"
  /// The object has no such interface.
  public static let unknownInterface: ErrorName = "org.freedesktop.DBus.Error.UnknownInterface"
  /// The object has no such method.
  public static let unknownMethod: ErrorName = "org.freedesktop.DBus.Error.UnknownMethod"
  /// The interface has no such property.
  public static let unknownProperty: ErrorName = "org.freedesktop.DBus.Error.UnknownProperty"
  /// The property cannot be set.
  public static let propertyReadOnly: ErrorName = "org.freedesktop.DBus.Error.PropertyReadOnly"
  /// Nobody on the bus has that name, and nobody can be started for it.
  public static let serviceUnknown: ErrorName = "org.freedesktop.DBus.Error.ServiceUnknown"
  /// The name has no owner.
  public static let nameHasNoOwner: ErrorName = "org.freedesktop.DBus.Error.NameHasNoOwner"
  /// The call got no reply: its receiver left, or took too long.
  public static let noReply: ErrorName = "org.freedesktop.DBus.Error.NoReply"
  /// The call was cancelled by the caller itself; never on the wire.
  public static let cancelled: ErrorName = "org.freedesktop.DBus.Error.Cancelled"
  /// The connection to the bus is gone.
  public static let disconnected: ErrorName = "org.freedesktop.DBus.Error.Disconnected"
  /// There is no bus at the address.
  public static let noServer: ErrorName = "org.freedesktop.DBus.Error.NoServer"
}
